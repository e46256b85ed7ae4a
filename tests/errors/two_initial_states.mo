model Lamp
  block State
  end State;
  State on, off;
equation
  initialState(off);
  initialState(on);
  transition(off, on, ticksInState() > 3);
end Lamp;
