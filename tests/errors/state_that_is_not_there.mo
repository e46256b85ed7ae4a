model Lamp
  block State
  end State;
  State on, off;
equation
  initialState(off);
  transition(off, onn, ticksInState() > 3);
end Lamp;
