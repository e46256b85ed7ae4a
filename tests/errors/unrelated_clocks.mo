model M
  Real x, y, z;
equation
  x = sample(time, Clock(0.1));
  y = sample(time, Clock(0.25));
  z = x + y;
end M;
