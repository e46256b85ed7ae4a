// A name that is declared nowhere.
model M
  Real x(start=1);
equation
  der(x) = -rate*x;
end M;
