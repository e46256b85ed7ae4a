model Lamp
  block On
  end On;
  record Off
  end Off;
  On on;
  Off off;
equation
  initialState(on);
  transition(on, off, ticksInState() > 3);
end Lamp;
