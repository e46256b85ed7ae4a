within Plant;
model M
  Real x = missing;
end M;
