model Lamp
  block State
  end State;
  State on, off;
equation
  transition(off, on, ticksInState() > 3);
  transition(on, off, ticksInState() > 3);
end Lamp;
