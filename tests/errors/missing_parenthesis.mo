model M
  Real x = 2*(time + 1;
end M;
