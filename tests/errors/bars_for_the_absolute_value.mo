model M
  Real x;
  Real y;
equation
  x = sin(time);
  y = |x|;
end M;
