// MLS 4.8: each class brings as many equations as its variables need, less one for each flow.
connector Pin
  Real v;
  flow Real i;
end Pin;

model Resistor
  Pin p, n;
  parameter Real R = 10;
equation
  p.v - n.v = R*p.i;

end Resistor;

model Source
  Pin p, n;
equation
  p.v - n.v = 5;

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
