// Only differences of potentials are fixed.
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
model Capacitor
  extends TwoPin;
  parameter Real C = 1e-3;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends TwoPin;
  parameter Real V = 5;
equation
  v = V;
end Source;
model M
  Source source;
  Resistor resistor;
  Capacitor capacitor(v(start = 0, fixed = true));
equation
  connect(source.p, resistor.p);
  connect(resistor.n, capacitor.p);
  connect(capacitor.n, source.n);
end M;
