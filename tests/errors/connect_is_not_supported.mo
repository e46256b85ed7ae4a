connector Pin
  Real v;
  flow Real i;
end Pin;
model M
  Pin a, b;
equation
  connect(a, b);
  a.v = time;
end M;
