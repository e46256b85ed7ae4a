model M
  Real x = time;
  Real y = x[1];
end M;
