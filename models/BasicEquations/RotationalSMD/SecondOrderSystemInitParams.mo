within BasicEquations.RotationalSMD;
model SecondOrderSystemInitParams "SecondOrderSystem whose initial values are parameters"
  type Angle = Real(unit="rad");
  type AngularVelocity = Real(unit="rad/s");
  type Inertia = Real(unit="kg.m2");
  type Stiffness = Real(unit="N.m/rad");
  type Damping = Real(unit="N.m.s/rad");

  parameter Angle phi1_init = 0;
  parameter Angle phi2_init = 1;
  parameter AngularVelocity omega1_init = 0;
  parameter AngularVelocity omega2_init = 0;
  parameter Inertia J1 = 0.4;
  parameter Inertia J2 = 1.0;
  parameter Stiffness c1 = 11 "Between the inertias";
  parameter Stiffness c2 = 5 "From inertia 2 to the wall";
  parameter Damping d1 = 0.2 "Between the inertias";
  parameter Damping d2 = 1.0 "From inertia 2 to the wall";

  Angle phi1 "Of inertia 1";
  Angle phi2 "Of inertia 2";
  AngularVelocity omega1 "Of inertia 1";
  AngularVelocity omega2 "Of inertia 2";
initial equation
  phi1 = phi1_init;
  phi2 = phi2_init;
  omega1 = omega1_init;
  omega2 = omega2_init;
equation
  omega1 = der(phi1);
  omega2 = der(phi2);
  J1*der(omega1) = c1*(phi2 - phi1) + d1*der(phi2 - phi1);
  J2*der(omega2) = c1*(phi1 - phi2) + d1*der(phi1 - phi2) - c2*phi2 - d2*der(phi2);
  annotation (experiment(StopTime=5),
    Documentation(info="The initial equations of SecondOrderSystem have numbers; here they have parameters, and
      so another start needs no other text. With phi1_init = 1 both inertias begin at the same angle: spring 1
      is relaxed at first, and both swing back together. With phi2_init = 0 and omega1_init = 5 inertia 1 is
      struck instead of turned, and hands the blow on."));
end SecondOrderSystemInitParams;
