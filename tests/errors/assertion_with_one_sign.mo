model M
  Real T = 20 + time;
equation
  assert(T = 20, "x");
end M;
