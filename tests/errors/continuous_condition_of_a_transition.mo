model Lamp
  block State
  end State;
  State on, off;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  initialState(off);
  transition(off, on, x > 0.5);
end Lamp;
