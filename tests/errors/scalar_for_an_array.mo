model M
  Real z[2] = 3;
end M;
