within DiscreteBehavior.SpeedMeasurement;
model SampleAndHold "It reads the speed eight times a second"
  extends BasicEquations.RotationalSMD.SecondOrderSystem;
  parameter Real sample_time(unit="s") = 0.125;
  discrete Real omega1_measured "Speed at the last sample";
equation
  when sample(0, sample_time) then
    omega1_measured = omega1;
  end when;
  annotation (experiment(StopTime=5, Tolerance=1e-8),
    Documentation(info="Eight times a second the controller reads omega1, and keeps the number until the next
      sample: a staircase behind the curve. What happens in between it does not see: shortly before 0.5 s the
      value it has is off by 3 rad/s. With sample_time = 0.02 the steps are small; with 0.5 the speed of -4.3
      rad/s at 0.75 s is missed altogether. The 41 events are known in advance, and the motion does not depend
      on them."));
end SampleAndHold;
