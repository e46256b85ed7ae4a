within DiscreteBehavior.SynchronousSystems;
model SamplingWithClocks "Faster and slower clocks, derived from one of 10 Hz"
  Real x, y "10 Hz";
  Real z "5 Hz";
  Real w "30 Hz: holds x for three ticks";
equation
  x = sample(time, Clock(1, 10));
  y = sample(time, Clock(1, 10));
  z = subSample(x, 2);
  w = superSample(x, 3);
  annotation (experiment(StopTime=1));
end SamplingWithClocks;
