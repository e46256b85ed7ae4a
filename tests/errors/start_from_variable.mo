// Attributes are fixed before anything moves.
model M
  Real y = time;
  Real x(start=y, fixed=true);
equation
  der(x) = -x;
end M;
