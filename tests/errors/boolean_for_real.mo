model M
  Real x;
  Boolean on = time > 1;
equation
  x = on;
end M;
