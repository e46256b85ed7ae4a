// with --native-code
function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Include = 3);
end measure;
model M
  Real x = measure(time);
end M;
