// The derivative as a member of the variable.
model M
  Real x(start = 1, fixed = true);
equation
  x.der = -x;
end M;
