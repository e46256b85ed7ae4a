within BasicEquations.RotationalSMD;
model SecondOrderSystem "Inertia 2 hangs on the wall, inertia 1 on inertia 2"
  type Angle = Real(unit="rad");
  type AngularVelocity = Real(unit="rad/s");
  type Inertia = Real(unit="kg.m2");
  type Stiffness = Real(unit="N.m/rad");
  type Damping = Real(unit="N.m.s/rad");

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
  phi1 = 0;
  phi2 = 1 "Twisted, then let go";
  omega1 = 0;
  omega2 = 0;
equation
  omega1 = der(phi1);
  J1*der(omega1) = c1*(phi2 - phi1) + d1*der(phi2 - phi1);

  omega2 = der(phi2);
  J2*der(omega2) = c1*(phi1 - phi2) + d1*der(phi1 - phi2) - c2*phi2 - d2*der(phi2);
  annotation (experiment(StopTime=5),
    Documentation(info="Inertia 2 is turned by 1 rad and let go. Spring 1 drags the lighter inertia 1 along,
      which swings beyond the other, up to 1.15 rad at 0.47 s, and from then on two motions of different
      frequency are mixed. The dampers take the energy away. Set d1 and d2 to 0: nothing is lost, and at 3.47 s
      inertia 1 goes out to 1.49 rad."));
end SecondOrderSystem;
