// The same name with two types from two base classes.
model A
  Real x = time;
end A;
model B
  Integer x = 1;
end B;
model M
  extends A;
  extends B;
end M;
