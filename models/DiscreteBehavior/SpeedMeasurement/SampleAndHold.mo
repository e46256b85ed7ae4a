within DiscreteBehavior.SpeedMeasurement;
model SampleAndHold "It reads the speed eight times a second"
  extends BasicEquations.RotationalSMD.SecondOrderSystem;
  parameter Real sample_time(unit="s") = 0.125;
  discrete Real omega1_measured "Speed at the last sample";
equation
  when sample(0, sample_time) then
    omega1_measured = omega1;
  end when;
  annotation (experiment(StopTime=5, Tolerance=1e-8));
end SampleAndHold;
