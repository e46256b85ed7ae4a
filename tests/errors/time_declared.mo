model M
  Real x;
  Real t;
equation
  x = sin(t);
end M;
