within DiscreteBehavior.SynchronousSystems;
model HoldOperator "hold brings values of unrelated clocks together"
  // x + y without hold is not valid: the clocks have nothing to do with each other.
  Real x "Every 0.1 s";
  Real y "Every 0.25 s";
  Real z "Always";
equation
  x = sample(time, Clock(0.1));
  y = sample(time, Clock(0.25));
  z = hold(x) + hold(y);
  annotation (experiment(StopTime=1));
end HoldOperator;
