// with --native-code
function measure
  input Real u;
  output Real y;
  external "C" y = measure(u)
    annotation (Include = "
double measure(double u) {
  return 2*u
}");
end measure;
model M
  Real x = measure(time);
end M;
