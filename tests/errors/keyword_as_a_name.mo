model M
  Real end = time;
end M;
