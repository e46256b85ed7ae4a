model M
  Real x[2](each start = 1, each fixed = true);
  Real q[2] = x*x;
equation
  der(x) = -x;
end M;
