model Machine
  block State
  end State;
  State off, on;
equation
  initialState(off);
  transition(off, on, sample());
end Machine;
