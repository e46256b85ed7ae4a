// Written as equations, the connections leave all currents 0.
connector Pin
  Real v;
  flow Real i;
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
  s.p.v = r.p.v;
  r.n.v = s.n.v;
  s.n.v = g.p.v;
end Circuit;
