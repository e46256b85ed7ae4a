model Lamp
  block State
  end State;
  State on, off, broken;
equation
  initialState(off);
  transition(off, on, ticksInState() > 3);
  transition(off, broken, ticksInState() > 1000);
end Lamp;
