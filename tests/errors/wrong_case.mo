// Capital and small letters are different.
model M
  parameter Real Gain = 2;
  Real x;
equation
  x = gain*time;
end M;
