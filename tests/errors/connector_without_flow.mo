// MLS 9.3.1: as many flow variables as potentials. i has no prefix.
connector Pin
  Real v;
  Real i;
end Pin;

model Resistor
  Pin p, n;
  parameter Real R = 10;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;

model Source
  Pin p, n;
equation
  p.v - n.v = 5;
  p.i + n.i = 0;
end Source;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model Circuit
  Resistor r;
  Source s;
  Ground g;
equation
  connect(s.p, r.p);
  connect(r.n, s.n);
  connect(s.n, g.p);
end Circuit;
