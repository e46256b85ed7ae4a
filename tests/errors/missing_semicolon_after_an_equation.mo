model M
  Real x, y;
equation
  x = time
  y = 2*x;
end M;
