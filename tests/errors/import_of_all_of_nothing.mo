// What the import would have brought is not reported name by name.
model M
  import Modelica.SIUnits.*;
  Voltage v = 1;
  Current i = 2*v;
end M;
