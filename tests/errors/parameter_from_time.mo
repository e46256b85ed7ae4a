model M
  parameter Real late = time > 5;
  Real y = late;
end M;
