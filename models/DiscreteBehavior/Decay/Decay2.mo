within DiscreteBehavior.Decay;
model Decay2 "The square root leaves its domain in spite of the if"
  // The relation keeps its value until the event at which it changes, so that the branch with the square root is
  // used a little beyond x = 0: that is where the event is looked for. Expected, with exit status 3: the simulation
  // fails near 2 s, and the message names sqrt(x), its line, an x below 0, and noEvent as the remedy. See Decay3.
  Real x;
initial equation
  x = 1;
equation
  der(x) = if x >= 0 then -sqrt(x) else 0;
  annotation (experiment(StopTime=5));
end Decay2;
