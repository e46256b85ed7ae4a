within DiscreteBehavior.SpeedMeasurement;
model CounterWithAlgorithm "It counts teeth, in an algorithm, where the last assignment counts"
  extends BasicEquations.RotationalSMD.SecondOrderSystem;
  parameter Real sample_time(unit="s") = 0.125;
  parameter Integer teeth = 200 "On the wheel";
  parameter Real tooth_angle(unit="rad") = 2*3.14159/teeth;
  Real next_phi "Next tooth forwards";
  Real prev_phi "Next tooth backwards";
  Integer count "Teeth since the last sample";
  Real omega1_measured "Teeth times their angle over the interval";
initial equation
  next_phi = phi1 + tooth_angle;
  prev_phi = phi1 - tooth_angle;
  count = 0;
algorithm
  when {phi1 >= pre(next_phi), phi1 <= pre(prev_phi)} then
    next_phi := phi1 + tooth_angle;
    prev_phi := phi1 - tooth_angle;
    count := pre(count) + 1;
  end when;
  when sample(0, sample_time) then
    omega1_measured := pre(count)*tooth_angle/sample_time;
    count := 0;
  end when;
  annotation (experiment(StopTime=5, Tolerance=1e-8),
    Documentation(info="Every 1/8 s the speed is taken from the number of teeth that have passed: count times
      the angle of a tooth, divided by the time. Two when-clauses set count, and where a tooth and a sample come
      at one instant, the later assignment wins; in equations this is refused, as Counter of the same chapter
      shows. What comes out is the mean over the past 1/8 s, in steps of 0.25 rad/s and without direction:
      omega1_measured is never negative. A wheel of 20 teeth has steps of 2.5 rad/s."));
end CounterWithAlgorithm;
