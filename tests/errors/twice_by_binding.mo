// A binding is an equation.
model M
  Real x = 1;
equation
  x = time;
end M;
