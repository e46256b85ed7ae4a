within DiscreteBehavior.Decay;
model Decay4 "A right side that jumps: x falls to 1 and slides there"
  Real x;
initial equation
  x = 2;
equation
  der(x) = if x >= 1 then -1 else 1;
  annotation (experiment(StopTime=5));
end Decay4;
