model Body
  outer parameter Real g;
  Real v(start=0, fixed=true);
equation
  der(v) = -g;
end Body;
model M
  Body body;
end M;
