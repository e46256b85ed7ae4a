model M
  Real x = sin(time, 2);
end M;
