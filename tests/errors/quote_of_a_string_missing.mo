// The description of x does not end on its line.
model M
  Real x "the position;
  Real y "the speed";
equation
  x = time;
  y = der(x);
end M;
