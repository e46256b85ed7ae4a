// As many equations as unknowns, but x is determined twice and z not at all.
model M
  Real x, y, z;
equation
  x = time;
  y = 2*x;
  x + y = 1;
end M;
