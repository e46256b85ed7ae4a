model M
  parameter Boolean on = 1;
  Real x = if on then time else 0;
end M;
