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
  annotation (experiment(StopTime=2));
end PulseGenerator;
