model M
  Boolean a = time > 1;
  Boolean b = time > 2;
  Integer n = a + b;
end M;
