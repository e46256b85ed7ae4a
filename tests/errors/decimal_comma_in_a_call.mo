// The comma separates arguments.
model M
  Real x = sin(0,5);
end M;
