model Lamp
  block State
  end State;
  State on, off;
equation
  initialState(off);
  transition(off, on, ticksInState() > 3, priority = 0);
end Lamp;
