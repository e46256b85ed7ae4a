model M
  parameter Real p = 2.5;
  parameter String s = String(p, digits=3);
  Real x = p*time;
end M;
