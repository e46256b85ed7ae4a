// Each branch of an if-equation with a condition that varies has as many equations as the others.
model M
  Real x, y;
equation
  if time < 1 then
    x = 1;
    y = 2;
  else
    x = 3;
  end if;
end M;
