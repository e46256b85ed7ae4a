// The position is prescribed by a delayed signal: its second derivative, which the force needs, cannot be had.
model M
  Real x, v, f;
equation
  der(x) = v;
  der(v) = f;
  x + 1 = delay(sin(time), 0.1);
end M;
