// Each of the two waits for the other.
model M
  Boolean a;
  Boolean b;
equation
  a = not b;
  b = a or time > 1;
end M;
