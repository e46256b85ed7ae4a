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
  annotation (experiment(StopTime=1));
end SynchronizedSampling;
