model M
  parameter Boolean b = edge(on);
  Boolean on = time > 1;
end M;
