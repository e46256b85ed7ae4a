model M
  constant Real g = 9.81;
  Real x;
algorithm
  g := 1.62;
  x := g*time;
end M;
