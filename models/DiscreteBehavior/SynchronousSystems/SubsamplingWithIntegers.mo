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
  annotation (experiment(StopTime=1),
    Documentation(info="One when-clause counts ticks; the others wait for that number to change, or to be odd.
      All that belongs to one tick happens at one instant: open an event to see what fired. So x and y are
      always equal, and z has every other value, 0, 0.2, 0.4. With 5 in place of the 2 it has every fifth;
      clocks say the same without counting, in SamplingWithClocks."));
end SubsamplingWithIntegers;
