// The component has no such variable.
model Mass
  Real s, v;
equation
  der(s) = v;
  der(v) = -9.81;
end Mass;
model M
  Mass mass(s(start=1, fixed=true), v(start=0, fixed=true));
  Real h = mass.height;
end M;
