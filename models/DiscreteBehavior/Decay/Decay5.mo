within DiscreteBehavior.Decay;
model Decay5 "Decay4 without events: the step control alone keeps x near 1"
  Real x;
initial equation
  x = 2;
equation
  der(x) = if noEvent(x >= 1) then -1 else 1;
  annotation (experiment(StopTime=5));
end Decay5;
