within DiscreteBehavior.SynchronousSystems;
model IndependentSampling "Two ways to sample every 0.1 s that know nothing of each other"
  // next_time is a sum of tenths and 0.1 times a number is not: the two drift apart by rounding. What e shows, is
  // whether an instant is the same for both.
  Real x "By sample";
  Real y "By a time that is added up";
  Real e "Difference";
  Real next_time "When y is due";
equation
  when sample(0, 0.1) then
    x = time;
  end when;
  when {initial(), time > pre(next_time)} then
    y = time;
    next_time = pre(next_time) + 0.1;
  end when;
  e = x - y;
  annotation (experiment(StopTime=1));
end IndependentSampling;
