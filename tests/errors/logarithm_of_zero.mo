model M
  constant Real c = log(0);
  Real x = c*time;
end M;
