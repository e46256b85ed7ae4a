// Three unknowns, two equations.
model M
  Real x, y, z;
equation
  x = time;
  y = 2*x;
end M;
