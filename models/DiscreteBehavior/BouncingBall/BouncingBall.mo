within DiscreteBehavior.BouncingBall;
model BouncingBall "A ball that loses a part of its speed at every impact"
  // Impacts: t1 = sqrt(2*h0/9.81), then t(n+1) = t(n) + 2*t1*e^n. The sum of all is t1*(1 + e)/(1 - e) = 9*t1 =
  // 4.0637 s. After it no rebound gets off the ground by more than the hysteresis, h<0 stays true, and the ball
  // falls through the floor.
  type Height = Real(unit="m");
  type Velocity = Real(unit="m/s");

  parameter Real e = 0.8 "Speed after over speed before an impact";
  parameter Height h0 = 1.0 "Height that it falls from";
  Height h "Above the floor";
  Velocity v(start=0.0, fixed=true) "Upwards";
initial equation
  h = h0;
equation
  v = der(h);
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation (experiment(StopTime=3, Tolerance=1e-8));
end BouncingBall;
