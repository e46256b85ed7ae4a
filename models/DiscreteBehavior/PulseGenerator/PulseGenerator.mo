within DiscreteBehavior.PulseGenerator;
model PulseGenerator "Goes on and off at every tick of sample"
  type Time = Real(unit="s");

  parameter Time width = 100e-3 "Of a pulse, and of the gap after it";
  Boolean pulse;
initial equation
  pulse = false;
equation
  when sample(width, width) then
    pulse = not pre(pulse);
  end when;
  annotation (experiment(StopTime=2),
    Documentation(info="At every tick pulse becomes what it was not: not pre(pulse). In between nothing is to be
      computed, and the integrator has nothing to do: 20 time events are all there is. Two ticks make a period,
      of 0.2 s. With a width of 0.3 there are six of them, the last at 1.8 s."));
end PulseGenerator;
