// An element of an array as other languages write it.
model M
  Real x[2];
equation
  x(1) = time;
  x(2) = 2*x(1);
end M;
