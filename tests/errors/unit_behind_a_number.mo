model M
  parameter Real V = 1e3V;
end M;
