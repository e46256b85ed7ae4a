model M
  Real x;
  Real x;
equation
  x = time;
end M;
