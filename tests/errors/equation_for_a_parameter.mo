model M
  parameter Real k = 2;
  Real x = k*time;
equation
  k = 3;
end M;
