// Two Reals are hardly ever equal at an instant that the integration visits.
model M
  Real x(start=0, fixed=true);
  Boolean hit;
equation
  der(x) = 1;
  hit = x == 0.5;
end M;
