model M
  Boolean on(unit="V") = time > 1;
end M;
