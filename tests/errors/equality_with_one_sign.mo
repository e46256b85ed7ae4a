model M
  Real x = time;
  Real y;
equation
  y = if x = 1 then 2 else 3;
end M;
