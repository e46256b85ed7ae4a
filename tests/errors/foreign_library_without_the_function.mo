// with --native-code
function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Library = "m");
end measure;
model M
  Real x = measure(time);
end M;
