model M
  parameter Real a[3] = {1, 2};
  Real x = a[1]*time;
end M;
