within Lessons;
model Siphon "A tank that runs empty whenever it is full"
  parameter Real inflow(unit="m/s") = 0.4;
  Real level(unit="m", start=0.5, fixed=true);
  Real fullest(unit="m") "Level when it last began to run empty";
  Integer flushes(start=0, fixed=true) "As a float near the bottom counts them";
equation
  der(level) = inflow;
  when level > 1 then
    fullest = pre(level);
    reinit(level, 0);
  end when;
  when level < 0.1 then
    flushes = pre(flushes) + 1;
  end when;
  annotation (experiment(StopTime=4));
end Siphon;
