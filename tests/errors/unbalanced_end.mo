model M
  Real x;
equation
  if time > 1 then
    x = 1;
  else
    x = 2;
end M;
