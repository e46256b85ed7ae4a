// A class in the braces of C.
model M {
  Real x;
equation
  x = time;
}
