within DiscreteBehavior.Chatter;
model WithoutChatter "WithChatter with its events suppressed"
  Real x;
initial equation
  x = 2;
equation
  der(x) = if noEvent(x >= 1) then -1 else 1;
  annotation (experiment(StopTime=2));
end WithoutChatter;
