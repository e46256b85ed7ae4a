model M
  parameter Real k = 2;
  constant Real c = k + 1;
  Real y = c*time;
end M;
