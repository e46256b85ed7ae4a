model Lamp
  block Counter
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end Counter;
  Counter on, off;
equation
  initialState(off);
  transition(off, on, off.n >= 3);
  transition(on, off, on.n >= 3, immediate = false);
end Lamp;
