package P
  model A Real x = time; end A;
  model A Real x = 2*time; end A;
end P;
model M
  P.A a;
end M;
