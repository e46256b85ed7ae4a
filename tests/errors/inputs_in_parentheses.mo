// A function's inputs stand inside of it.
function twice(Real u)
  output Real y;
algorithm
  y := 2*u;
end twice;
model M
  Real x = twice(time);
end M;
