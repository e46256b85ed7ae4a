model M
  parameter String mode = "fast";
  Real x = if mode == 1 then 1 else 2;
end M;
