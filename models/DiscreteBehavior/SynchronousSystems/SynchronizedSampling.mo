within DiscreteBehavior.SynchronousSystems;
model SynchronizedSampling "Two samples at the beat of one counter"
  Integer tick "Beats so far";
  Real x;
  Real y;
  Real e "Difference: always 0";
equation
  when sample(0, 0.1) then
    tick = pre(tick) + 1;
  end when;
  when change(tick) then
    x = time;
  end when;
  when change(tick) then
    y = time;
  end when;
  e = x - y;
  annotation (experiment(StopTime=1),
    Documentation(info="Two clauses with sample and an interval each, as in IndependentSampling, need not tick
      at the same instant, if rounding parts them. Here there is one sample, which counts, and both clauses wait
      for its counter: x and y cannot be parted, and e is 0 throughout. There are 11 events, one for each tick,
      at which both fire. Make the second condition change(tick) and tick > 5: y starts at 0.5 s, and up to
      there e goes to 0.4."));
end SynchronizedSampling;
