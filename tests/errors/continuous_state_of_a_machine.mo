model Lamp
  block Heating
    Real T(start = 20);
  equation
    der(T) = 1;
  end Heating;
  block Off
  end Off;
  Heating heating;
  Off off;
equation
  initialState(off);
  transition(off, heating, ticksInState() > 3);
end Lamp;
