model M
  Real x(start = 1, fixed = true);
  Real y = 2*x;
  discrete Real held(start = 0);
equation
  der(x) = -1;
  held = y;
end M;
