model M
  Integer n = 3;
  Boolean b = n != 2;
end M;
