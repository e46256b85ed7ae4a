// A library that mosim cannot find.
model M
  Buildings.Fluid.Sources.Boundary source;
end M;
