model M
  parameter Real m = 3 [kg];
end M;
