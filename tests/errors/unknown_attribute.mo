model M
  Real x(begin=1, fixed=true);
equation
  der(x) = -x;
end M;
