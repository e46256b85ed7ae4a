model M
  Real s;
equation
  s = 5 km;
end M;
