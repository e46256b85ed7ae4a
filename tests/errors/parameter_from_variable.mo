model M
  Real x = time;
  parameter Real k = 2*x;
  Real y = k*x;
end M;
