model Lamp
  block State
  end State;
  State on, off;
  Boolean b;
equation
  initialState(off);
  transition(off, on, b);
  b = ticksInState() > 3;
end Lamp;
