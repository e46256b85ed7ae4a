// The torque has no source, and the masses behind it are rigidly connected: no equation determines what they share.
connector RealInput = input Real;
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model Inertia
  parameter Real J = 1;
  Flange a, b;
  Real w(start = 0, fixed = true);
equation
  a.phi = b.phi;
  w = der(a.phi);
  J*der(w) = a.tau + b.tau;
end Inertia;
model Torque
  RealInput tau;
  Flange flange;
equation
  flange.tau = -tau;
end Torque;
model M
  Inertia first, second(w(fixed = false));
  Torque torque;
equation
  connect(torque.flange, first.a);
  connect(first.b, second.a);
end M;
