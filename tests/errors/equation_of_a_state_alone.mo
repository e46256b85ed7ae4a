// 3 = time*x[1] is one too many: der(x) gives x already.
model Twice
  Real x[2](each start = 1, each fixed = true);
  Real y = 2;
equation
  der(x) = -x;
  3 = time*x[1];
end Twice;
