// 0 < x < 1 is no Modelica: it takes an `and`.
model M
  Real x = time;
  Boolean inside = 0 < x < 1;
end M;
