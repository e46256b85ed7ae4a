model M
  Real x = time/0;
end M;
