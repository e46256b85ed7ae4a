// The derivative as a quotient of differentials.
model M
  Real x(start = 1, fixed = true);
equation
  dx/dt = -x;
end M;
