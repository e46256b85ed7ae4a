model M
  Real x = {1, 2, 3};
end M;
