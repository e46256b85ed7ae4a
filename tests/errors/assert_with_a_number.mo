model M
  Real x = time;
equation
  assert(x, "x is " + x);
end M;
