within HybridSystems;
model CoupledBallPlatform "A ball bounces on a platform that gives way, sways, and is pushed down by every contact"
  // Two hybrid systems with inputs, each of which gets the other's height. Between contacts the ball falls freely and
  // the platform is a damped oscillator about height 0 under a disturbance v21. A contact is the instant at which the
  // ball comes down to the platform; it is so for both at once, and each computes its new velocity from its own left
  // limit.
  // From 13.7 s on the contacts come closer and closer, by a factor of about 0.8, as if they were to pile up near 16 s.
  // But what a contact takes is a part of each velocity, not of the relative one: when the disturbance draws the
  // platform down, a ball that keeps up with it rebounds all the same. 12 ms is the shortest time between two contacts,
  // at 15.98 s, and after it they part again. That is where the run is sensitive: an error made before is a hundred
  // times as great at 18 s. `--stop 18 --max-events 20` ends earlier.
  model Ball "Moves freely above the height u1"
    input Modelica.Units.SI.Position u1 "Height of what it falls on";
    input Modelica.Units.SI.Acceleration v11 "Disturbance in flight";
    input Modelica.Units.SI.Velocity v12 "Disturbance of the velocity after a contact";
    output Modelica.Units.SI.Position y1 = xi1 "Height";
    parameter Modelica.Units.SI.Acceleration gamma "Gravity";
    parameter Real lambda(unit="1", min=0, max=1) "Speed after over speed before a contact";
    Modelica.Units.SI.Position xi1(start=1, fixed=true) "Height";
    Modelica.Units.SI.Velocity xi2(start=0, fixed=true) "Upwards";
  equation
    der(xi1) = xi2;
    der(xi2) = -gamma + v11;
    when xi1 <= u1 then
      // A platform that comes up from below hits a ball that moves up as well: nothing happens to the ball.
      reinit(xi2, if pre(xi2) <= 0 then lambda*abs(pre(xi2)) + v12 else pre(xi2));
    end when;
  end Ball;

  model Platform "Moves under the height u2"
    input Modelica.Units.SI.Position u2 "Height of what falls on it";
    input Modelica.Units.SI.Acceleration v21 "Disturbance between contacts";
    input Modelica.Units.SI.Velocity v22 "Disturbance of the velocity after a contact";
    output Modelica.Units.SI.Position y2 = eta1 "Height";
    constant Real stiffness(unit="1/s2") = 1 "Of its suspension, for each unit of mass";
    parameter Real beta(unit="1/s", min=0) "Damping, for each unit of mass";
    parameter Real lambda(unit="1", min=0, max=1) "Speed after over speed before a contact";
    Modelica.Units.SI.Position eta1(start=0, fixed=true) "Height";
    Modelica.Units.SI.Velocity eta2(start=0, fixed=true) "Upwards";
  equation
    der(eta1) = eta2;
    der(eta2) = -stiffness*eta1 - beta*eta2 + v21;
    when eta1 >= u2 then
      reinit(eta2, -lambda*abs(pre(eta2)) + v22);
    end when;
  end Platform;

  parameter Modelica.Units.SI.Acceleration gamma = 0.8 "Gravity";
  parameter Real beta(unit="1/s", min=0) = 2 "Damping of the platform, for each unit of mass";
  parameter Real lambda(unit="1", min=0, max=1) = 0.8 "Speed after over speed before a contact, of both";
  parameter Modelica.Units.SI.Acceleration amplitude = 1 "Of the disturbance v21";
  parameter Modelica.Units.SI.AngularFrequency omega = 1 "Of the disturbance v21";
  parameter Modelica.Units.SI.Acceleration v11 = 0 "Disturbance of the ball in flight";
  parameter Modelica.Units.SI.Velocity v12 = 0 "Disturbance of the ball at a contact";
  parameter Modelica.Units.SI.Velocity v22 = 0 "Disturbance of the platform at a contact";
  Ball ball(gamma=gamma, lambda=lambda);
  Platform platform(beta=beta, lambda=lambda);
  output Modelica.Units.SI.Position xi1 = ball.xi1 "Height of the ball";
  output Modelica.Units.SI.Velocity xi2 = ball.xi2 "Velocity of the ball, upwards";
  output Modelica.Units.SI.Position eta1 = platform.eta1 "Height of the platform";
  output Modelica.Units.SI.Velocity eta2 = platform.eta2 "Velocity of the platform, upwards";
equation
  ball.u1 = platform.y2;
  platform.u2 = ball.y1;
  ball.v11 = v11;
  ball.v12 = v12;
  platform.v21 = amplitude*sin(omega*time);
  platform.v22 = v22;
  annotation (experiment(StopTime=18, Tolerance=1e-8));
end CoupledBallPlatform;
