// Functions of a component can be called, operators cannot (MLS 5.3.2).
operator record Vector
  Real x, y;
  encapsulated operator function '+'
    input Vector a, b;
    output Vector c = Vector(a.x + b.x, a.y + b.y);
  algorithm
  end '+';
end Vector;
model M
  Vector a(x = 1, y = time);
  Vector b = a.'+'(a, a);
end M;
