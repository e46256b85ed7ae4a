model M
  parameter Integer teeth = 12.5;
  Real x = teeth*time;
end M;
