// x is on both sides.
model M
  Real x;
equation
  x + time = x;
end M;
