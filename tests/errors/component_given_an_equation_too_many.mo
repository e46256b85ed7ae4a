// The class is balanced; the modification adds an equation.
connector Pin
  Real v;
  flow Real i;
end Pin;
model Resistor
  Pin p, n;
  Real u;
  parameter Real R = 10;
equation
  u = p.v - n.v;
  u = R*p.i;
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
  Resistor r1(u = 3), r2;
  Source s;
  Ground g;
equation
  connect(s.p, r1.p);
  connect(r1.n, r2.p);
  connect(r2.n, s.n);
  connect(s.n, g.p);
end Circuit;
