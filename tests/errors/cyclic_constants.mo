model M
  constant Real a = 2*b;
  constant Real b = a/2;
  Real x = a*time;
end M;
