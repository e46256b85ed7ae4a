// The section is called "equation", however many there are.
model M
  Real x;
  Real y;
equations
  x = time;
  y = 2*x;
end M;
