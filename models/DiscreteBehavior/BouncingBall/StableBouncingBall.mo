within DiscreteBehavior.BouncingBall;
model StableBouncingBall "BouncingBall that comes to rest"
  // The vector of conditions fires when the ball gets below the floor, and once more when it gets below -eps
  // although h<0 is true already. The second time is the last.
  type Height = Real(unit="m");
  type Velocity = Real(unit="m/s");

  parameter Real e = 0.8 "Speed after over speed before an impact";
  parameter Height h0 = 1.0 "Height that it falls from";
  constant Height eps = 1e-3 "Deeper than this means: at rest";
  Boolean done "Nothing moves any more";
  Height h "Above the floor";
  Velocity v(start=0.0, fixed=true) "Upwards";
initial equation
  h = h0;
  done = false;
equation
  v = der(h);
  der(v) = if done then 0 else -9.81;
  when {h < 0, h < -eps} then
    done = h < -eps;
    reinit(v, -e*(if h < -eps then 0 else pre(v)));
  end when;
  annotation (experiment(StopTime=10, Tolerance=1e-8));
end StableBouncingBall;
