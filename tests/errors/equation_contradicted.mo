// Balanced, but no x and y fulfil both.
model M
  Real x, y;
equation
  x + y = 1;
  2*x + 2*y = 3;
end M;
