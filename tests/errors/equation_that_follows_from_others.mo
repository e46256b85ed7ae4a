// The third equation is the sum of the first two.
model M
  Real x, y, z;
equation
  x + y + z = 1;
  x - y = 2;
  2*x + z = 3;
end M;
