model M
  Real x;
equation
  der(x) = -x;
  x(0) = 2;
end M;
