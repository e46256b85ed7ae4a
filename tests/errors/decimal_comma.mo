// A number as it is written on paper in many countries.
model M
  parameter Real k = 2,5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;
