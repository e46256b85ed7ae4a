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
  annotation (experiment(StopTime=2));
end Counter;
