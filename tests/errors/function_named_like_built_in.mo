// Both stand in the unnamed root of all classes: log(x) would be one of them, and nothing says which.
function log "the logarithm to base 2"
  input Real x;
  output Real y;
algorithm
  y := log10(x)/log10(2);
end log;

model Bits "how many bits count to x"
  Real x(start = 1, fixed = true);
  Real b;
equation
  der(x) = x;
  b = log(x);
end Bits;
