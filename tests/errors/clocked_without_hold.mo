// x exists at the ticks of its clock alone.
model M
  Real x;
  Real y(start=0, fixed=true);
equation
  x = sample(time, Clock(0.1));
  der(y) = x - y;
end M;
