// The units as they were called up to version 3 of the library.
model M
  parameter Modelica.SIunits.Conversions.NonSIunits.Temperature_degC T = 20;
  Real x = T;
end M;
