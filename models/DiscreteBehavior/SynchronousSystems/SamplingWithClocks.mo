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
  annotation (experiment(StopTime=1),
    Documentation(info="x and y are sampled by clocks of one rate, which are found to be the same, so that both
      have their values at the same instants. z takes every second value of x; w has three ticks for each of x,
      with the same value. All of them are derived from one clock, so that they meet to the last digit, without
      any counting. There are 31 clock ticks, those of the fastest: each third of them changes x. Write
      subSample(x, 5): z is left with 0, 0.5 and 1."));
end SamplingWithClocks;
