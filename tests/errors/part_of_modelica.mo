model Wave "The bundled part of Modelica has no blocks"
  Modelica.Blocks.Sources.Sine s;
end Wave;
