within DiscreteBehavior.Backlash;
model Backlash "Two inertias with play; contact is a stiff spring"
  type Angle = Real(unit="rad");
  type AngularVelocity = Real(unit="rad/s");
  type Inertia = Real(unit="kg.m2");
  type Stiffness = Real(unit="N.m/rad");
  type Damping = Real(unit="N.m.s/rad");

  parameter Angle phi1_init = 0;
  parameter Angle phi2_init = 0;
  parameter AngularVelocity omega1_init = 5;
  parameter AngularVelocity omega2_init = 0;
  parameter Angle b = 0.5 "Play, from stop to stop";
  parameter Inertia J1 = 0.4;
  parameter Inertia J2 = 1.0;
  parameter Stiffness c1 = 11 "Between the inertias";
  parameter Stiffness c2 = 5 "From inertia 2 to the wall";
  parameter Stiffness kb = 1000 "Of the stops";
  parameter Damping d1 = 0.2 "Between the inertias";
  parameter Damping d2 = 1.0 "From inertia 2 to the wall";

  Angle phi1;
  Angle phi2;
  Angle dphi = phi2 - phi1;
  AngularVelocity omega1;
  AngularVelocity omega2;
initial equation
  phi1 = phi1_init;
  phi2 = phi2_init;
  omega1 = omega1_init;
  omega2 = omega2_init;
equation
  omega1 = der(phi1);
  omega2 = der(phi2);
  // sign, abs and max make no events: the torque is continuous.
  J1*der(omega1) = kb*sign(dphi)*max(abs(dphi) - b/2, 0) + c1*(dphi) + d1*der(dphi);
  J2*der(omega2) = kb*sign(-dphi)*max(abs(dphi) - b/2, 0) - c1*dphi - d1*der(dphi) - c2*phi2 - d2*der(phi2);
  annotation (experiment(StopTime=2),
    Documentation(info="Inertia 1 starts with 5 rad/s and touches nothing but a soft spring and a damper, until
      the play of b/2 = 0.25 rad to either side is used up. Then it meets a stop, a spring of 1000 N.m/rad: look
      for the short, steep pieces of omega2, where the speed is handed over in 0.05 s. The stop's torque begins
      at 0 and grows, it does not jump, so that no event is needed, but several times as many steps. With b = 2
      no stop is reached, and the curves are smooth; with kb = 100 the contacts are softer and last longer."));
end Backlash;
