within HybridSystems;
model NonsmoothBallComparison "How far the nonsmooth scheme parts from the ball whose impacts are located as events"
  // The scheme feels an impact up to one step late and gives the rebound a launch that is early or late by a part of
  // dt: it is of first order, and the differences add up from impact to impact. dt = 1e-2, 1e-3, 1e-4 (--set dt=1e-4).
  // The impacts of the other ball pile up at (1 + e)/(1 - e)*sqrt(2*h0/9.81) = 8.58 s: compare before it. Each of the
  // many samples interrupts its flight, and errors of so many starts add up: hence the tight tolerance.
  parameter Modelica.Units.SI.Duration dt = 1e-2 "Time step of the scheme";
  parameter Real e(unit="1", min=0, max=1) = 0.9 "Speed after over speed before an impact, of both";
  parameter Modelica.Units.SI.Position h0 = 1 "Height that both fall from";
  NonsmoothBall scheme(dt=dt, e=e, u0=h0, g=9.81);
  DiscreteBehavior.BouncingBall.BouncingBall ball(e=e, h0=h0);
  discrete Modelica.Units.SI.Distance distance(start=0, fixed=true) "Between the two, at the last step";
  discrete Modelica.Units.SI.Distance largest(start=0, fixed=true) "Of all distances so far";
equation
  when sample(dt, dt) then
    distance = abs(scheme.u - ball.h);
    largest = max(pre(largest), distance);
  end when;
  annotation (experiment(StopTime=5, Tolerance=1e-10));
end NonsmoothBallComparison;
