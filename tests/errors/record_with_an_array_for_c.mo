// with --native-code
record Sample
  Real x;
  Real y[2];
end Sample;
function measure
  input Sample s;
  output Real y;
  external "C" y = measure(s) annotation (Include = "double measure(const void *s) { return 1; }");
end measure;
model M
  Real x = measure(Sample(time, {1, 2}));
end M;
