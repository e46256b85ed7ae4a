within DiscreteBehavior.Decay;
model Decay3 "noEvent keeps the square root in its domain: x = max(0, 1 - time/2)^2"
  Real x;
initial equation
  x = 1;
equation
  der(x) = if noEvent(x >= 0) then -sqrt(x) else 0;
  annotation (experiment(StopTime=5));
end Decay3;
