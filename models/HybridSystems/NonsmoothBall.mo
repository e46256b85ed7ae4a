within HybridSystems;
model NonsmoothBall "A bouncing ball by the explicit nonsmooth Newmark scheme, one step a sample"
  // No event is located: the contact is felt by the step that would end below the ground, and a Lagrange multiplier
  // corrects that step's velocity so that v = -e*pre(v). Where there is no contact the steps are exact. The
  // algorithmic energy, which leaves out dt^2/8*m*a^2, is what the scheme keeps: with what the contacts dissipate it is
  // constant but for rounding.
  parameter Modelica.Units.SI.Mass m = 1 "Mass";
  parameter Modelica.Units.SI.Radius r = 0 "Radius: lifts the centre above the gap, and no more";
  parameter Real e(unit="1", min=0, max=1) = 0.9 "Speed after over speed before a contact";
  parameter Modelica.Units.SI.Acceleration g = 9.81 "Gravity";
  parameter Modelica.Units.SI.Duration dt(min=1e-9) = 1e-2 "Time step";
  parameter Modelica.Units.SI.Position u0 = 1 "Gap at the start";
  parameter Modelica.Units.SI.Velocity v0 = 0 "Velocity at the start";

  discrete Modelica.Units.SI.Position u(start=u0, fixed=true) "Gap between ball and ground";
  discrete Modelica.Units.SI.Velocity v(start=v0, fixed=true) "Upwards";
  discrete Modelica.Units.SI.Acceleration a(start=-g, fixed=true) "Upwards, without the contact's part";
  discrete Modelica.Units.SI.Velocity w(start=0, fixed=true) "What the contact adds to v in this step";
  discrete Modelica.Units.SI.Impulse lambda(start=0, fixed=true) "Lagrange multiplier: impulse of the contact";
  Boolean contact(start=false, fixed=true) "In this step";
  Integer n(start=0, fixed=true) "Steps so far";
  Integer contacts(start=0, fixed=true) "Steps with contact so far";

  discrete Modelica.Units.SI.Position u_free(start=u0, fixed=true) "Gap after a step without contact";
  discrete Modelica.Units.SI.Velocity v_free(start=v0, fixed=true) "Velocity after a step without contact";
  discrete Modelica.Units.SI.Velocity v_ahead(start=v0, fixed=true) "Rate of the gap that detection looks at";

  Modelica.Units.SI.Position centre "Height of the ball's centre";
  Modelica.Units.SI.Energy ekin "Kinetic";
  Modelica.Units.SI.Energy epot "Potential";
  Modelica.Units.SI.Energy emech "Mechanical: kinetic and potential";
  discrete Modelica.Units.SI.Energy edis_inc(start=0, fixed=true) "Dissipated in this step";
  discrete Modelica.Units.SI.Energy edis(start=0, fixed=true) "Dissipated so far";
  Modelica.Units.SI.Energy ealg "Algorithmic";
  Modelica.Units.SI.Energy etot "Mechanical and dissipated";
  Modelica.Units.SI.Energy etot_alg "Algorithmic and dissipated";
equation
  when sample(dt, dt) then
    n = pre(n) + 1;
    // Prediction of a free flight
    u_free = pre(u) + dt*pre(v) + 0.5*dt^2*pre(a);
    v_ahead = pre(v) + dt*pre(a);
    a = -g;
    v_free = pre(v) + 0.5*dt*(pre(a) + a);
    // Correction: 0 <= lambda, complementary to v + e*pre(v) >= 0
    contact = u_free < 0 and v_ahead < 0;
    v = if contact then -e*pre(v) else v_free;
    w = if contact then v - v_free else 0;
    lambda = m*w;
    u = if contact then u_free + 0.5*dt*w else u_free;
    edis_inc = if contact then -lambda*0.5*(pre(v) + v) else 0;
    edis = pre(edis) + edis_inc;
    contacts = pre(contacts) + (if contact then 1 else 0);
  end when;
  centre = u + r;
  ekin = 0.5*m*v^2;
  epot = m*g*u;
  emech = ekin + epot;
  ealg = emech - dt^2*0.125*m*a^2;
  etot = emech + edis;
  etot_alg = ealg + edis;
  annotation (experiment(StopTime=10));
end NonsmoothBall;
