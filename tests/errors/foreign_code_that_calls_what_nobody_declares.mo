// with --native-code
// In C an undeclared function gives an int, so that y would be wrong without a word.
function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Include = "double measure(double u) { return cbrt(u); }");
end measure;
model M
  Real x = measure(time);
end M;
