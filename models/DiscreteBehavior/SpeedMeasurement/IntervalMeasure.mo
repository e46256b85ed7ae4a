within DiscreteBehavior.SpeedMeasurement;
model IntervalMeasure "It times the teeth of a wheel on inertia 1"
  extends BasicEquations.RotationalSMD.SecondOrderSystem;
  parameter Integer teeth = 200 "On the wheel";
  parameter Real tooth_angle(unit="rad") = 2*3.14159/teeth;
  Real next_phi "Next tooth forwards";
  Real prev_phi "Next tooth backwards";
  Real last_time "Of the last tooth";
  Real omega1_measured "A tooth's angle over its time";
initial equation
  next_phi = phi1 + tooth_angle;
  prev_phi = phi1 - tooth_angle;
  last_time = time;
equation
  when {phi1 >= pre(next_phi), phi1 <= pre(prev_phi)} then
    omega1_measured = tooth_angle/(time - pre(last_time));
    next_phi = phi1 + tooth_angle;
    prev_phi = phi1 - tooth_angle;
    last_time = time;
  end when;
  annotation (experiment(StopTime=5, Tolerance=1e-8),
    Documentation(info="When inertia 1 has turned by a tooth, forwards or backwards, the angle of a tooth
      divided by the time it took is the speed: 173 state events, densest where it is fast. Compare omega1 and
      omega1_measured: good at high speed; near a turning point, as from 0.43 s on, no tooth comes and the old
      value stays. The direction is not seen. With 20 teeth there are 12 events, and of the speed a staircase is
      left."));
end IntervalMeasure;
