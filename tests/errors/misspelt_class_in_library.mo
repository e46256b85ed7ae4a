// The bundled library has it under another name.
model M
  Modelica.Units.SI.Volt v = 12;
end M;
