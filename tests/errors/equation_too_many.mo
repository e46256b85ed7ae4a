model M
  Real x, y;
equation
  x = time;
  y = 2*x;
  x = 3*time;
end M;
