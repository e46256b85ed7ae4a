within DiscreteBehavior.Counter;
model Counter "Adds 1 at every tick of sample"
  type Time = Real(unit="s");

  parameter Time interval = 100e-3 "Also the instant of the first tick";
  Integer count;
initial equation
  count = 0;
equation
  when sample(interval, interval) then
    count = pre(count) + 1;
  end when;
  annotation (experiment(StopTime=2),
    Documentation(info="sample(interval, interval) is true at 0.1 s, 0.2 s and so on, and a when-clause acts at
      each of these instants. pre(count) is the value until then: without pre the equation would ask for a
      number that is one more than itself. There are 20 time events, known in advance, and count is a staircase
      up to 20. With an interval of 0.25 it ends at 8."));
end Counter;
