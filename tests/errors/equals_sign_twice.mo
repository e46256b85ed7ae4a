// A comparison is written with two of them.
model M
  Real x(start = 0, fixed = true);
  Boolean late;
equation
  der(x) = 1;
  late = x = 1;
end M;
