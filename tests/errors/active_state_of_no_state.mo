model Lamp
  block State
  end State;
  State on, off, other;
  Boolean b;
equation
  initialState(off);
  transition(off, on, ticksInState() > 3);
  b = activeState(other);
end Lamp;
