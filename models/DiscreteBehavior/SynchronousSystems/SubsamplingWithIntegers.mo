within DiscreteBehavior.SynchronousSystems;
model SubsamplingWithIntegers "Every other beat, by counting"
  Integer tick "Beats so far";
  Real x, y "At every beat";
  Real z "At the first beat and every other one after it";
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
  when mod(tick - 1, 2) == 0 then
    z = time;
  end when;
  annotation (experiment(StopTime=1));
end SubsamplingWithIntegers;
