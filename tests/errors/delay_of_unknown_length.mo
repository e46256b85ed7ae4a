// A delay that varies needs its greatest value.
model M
  Real x = sin(time);
  Real y = delay(x, 0.1*time);
end M;
