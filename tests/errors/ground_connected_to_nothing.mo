// There is a ground, but nothing is connected to it.
connector Pin
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;
partial model TwoPin
  Pin p, n;
  Real v, i;
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
end TwoPin;
model Resistor
  extends TwoPin;
  parameter Real R = 100;
equation
  v = R*i;
end Resistor;
model Source
  extends TwoPin;
  parameter Real V = 5;
equation
  v = V;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model M
  Source source;
  Resistor resistor;
  Ground ground;
equation
  connect(source.p, resistor.p);
  connect(resistor.n, source.n);
end M;
