model M
  parameter R = 10;
  Real x;
equation
  x = R*time;
end M;
