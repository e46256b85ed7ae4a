function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Include = "#include \"measure.c\"");
end measure;
model M
  Real x = measure(time);
end M;
