function f
  input Real u;
  output Real y;
algorithm
  y := f(u - 1);
end f;
model M
  Real x = f(time);
end M;
