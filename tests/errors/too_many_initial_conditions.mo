model M
  Real x(start=1, fixed=true);
initial equation
  x = 2;
equation
  der(x) = -x;
end M;
