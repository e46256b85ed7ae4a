# A ball that is thrown upwards.
model M
  parameter Real g = 9.81; # gravity
  Real h(start = 1, fixed = true);
  Real v(start = 5, fixed = true);
equation
  der(h) = v;  # speed
  der(v) = -g; # acceleration
end M;
