// with --native-code
function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Library = "instruments", LibraryDirectory = "file:///nowhere/lib");
end measure;
model M
  Real x = measure(time);
end M;
