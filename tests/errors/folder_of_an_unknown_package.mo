// with --native-code
function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Include = "#include \"measure.h\"", IncludeDirectory = "modelica://Instruments/Resources/Include");
end measure;
model M
  Real x = measure(time);
end M;
