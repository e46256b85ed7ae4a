// A function returns what its outputs are.
function twice
  input Real u;
  output Real y;
algorithm
  y := 2*u;
  return y;
end twice;
model M
  Real x = twice(time);
end M;
