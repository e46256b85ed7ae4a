// The types of C in Modelica.
model M
  double x(start = 1, fixed = true);
  double v;
equation
  v = der(x);
  v = -x;
end M;
