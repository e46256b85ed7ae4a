model M
  Real x = if time > 1 then 1.5 else "none";
end M;
