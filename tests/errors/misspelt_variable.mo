// One letter is missing.
model M
  parameter Real damping = 0.5;
  Real x(start=1, fixed=true);
equation
  der(x) = -dampng*x;
end M;
