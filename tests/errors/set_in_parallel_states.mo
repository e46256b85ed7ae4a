model Lamps
  block State
    outer output Integer light;
  equation
    light = previous(light) + 1;
  end State;
  inner Integer light(start = 0);
  State a, b;
equation
  initialState(a);
  initialState(b);
end Lamps;
