// with --native-code
function measure
  input Real u;
  output Real y[2];
  external "C" annotation (Include = "double *measure(double u) { return 0; }");
end measure;
model M
  Real x[2] = measure(time);
end M;
