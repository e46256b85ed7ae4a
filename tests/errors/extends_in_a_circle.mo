model A
  extends B;
end A;
model B
  extends M;
end B;
model M
  extends A;
  Real x = time;
end M;
