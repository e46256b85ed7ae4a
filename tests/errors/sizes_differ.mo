model M
  parameter Real a[3] = {1, 2, 3};
  parameter Real b[2] = {1, 2};
  Real c[3];
equation
  c = a + b;
end M;
