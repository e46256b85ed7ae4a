model M
  parameter String name = "pump";
  Real x = 2*name;
end M;
