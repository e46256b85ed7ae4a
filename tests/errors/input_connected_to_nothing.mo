// The gain has no source.
connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  RealInput u;
  RealOutput y;
  parameter Real k = 2;
equation
  y = k*u;
end Gain;
model M
  Gain gain;
  Real x(start = 0, fixed = true);
equation
  der(x) = gain.y;
end M;
