function measure
  input Real u;
  output Real y;
  external "C" y = measure(u) annotation (Include = "double measure(double);", Library = "instruments");
end measure;
model M
  Real x = measure(time);
end M;
