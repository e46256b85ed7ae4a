// A branch in the braces of C.
model M
  Real x;
equation
  if time > 1 {
    x = 1;
  } else {
    x = 2;
  }
end M;
