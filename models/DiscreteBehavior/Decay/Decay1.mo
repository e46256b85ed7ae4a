within DiscreteBehavior.Decay;
model Decay1 "The square root leaves its domain"
  // x = (1 - time/2)^2 reaches 0 at 2 s, where the equation ends: behind it there is no real square root. Expected,
  // with exit status 3: the simulation fails near 2 s, and the message names sqrt(x), its line, and an x below 0.
  // (Rounding may also find the other solution, x = 0, and stay there; it is an equilibrium.)
  Real x;
initial equation
  x = 1;
equation
  der(x) = -sqrt(x);
  annotation (experiment(StopTime=5));
end Decay1;
