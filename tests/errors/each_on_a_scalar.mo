model M
  Real x(each start=1, fixed=true);
equation
  der(x) = -x;
end M;
