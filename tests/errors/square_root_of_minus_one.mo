model M
  constant Real side = sqrt(-4);
  Real x = side*time;
end M;
