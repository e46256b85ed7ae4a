// An Integer cannot follow a Real between events.
model M
  Real x = 2*time;
  Integer n;
equation
  n = x;
end M;
