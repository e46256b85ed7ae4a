model M
  Real P = 100;
  parameter Real r = 0.1;
equation
  der(P) = r*P;
end M;
