model Lamp
  block On
  end On;
  On on;
  Integer off;
equation
  initialState(on);
  transition(on, off, ticksInState() > 3);
  off = 1;
end Lamp;
