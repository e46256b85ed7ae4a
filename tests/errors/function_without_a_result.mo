function twice
  input Real u;
  output Real y;
algorithm
end twice;
model M
  Real x = twice(time);
end M;
