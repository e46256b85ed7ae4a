model M
  Real x = sqr(time);
end M;
