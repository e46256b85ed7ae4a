within DiscreteBehavior.Chatter;
model WithChatter "Each event brings on the next one"
  // From 1 s on both branches drive x back across the threshold. mosim finds the chattering, widens the band of
  // x>=1 within the error that the tolerance allows, reports it, and gets to the end.
  Real x;
initial equation
  x = 2;
equation
  der(x) = if x >= 1 then -1 else 1;
  annotation (experiment(StopTime=2));
end WithChatter;
