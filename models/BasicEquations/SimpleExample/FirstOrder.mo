within BasicEquations.SimpleExample;
model FirstOrder "The shortest model: x = 1 - exp(-time)"
  Real x;
equation
  der(x) = 1 - x;
  annotation (experiment(StopTime=8),
    Documentation(info="One equation says how fast x changes: by what is still missing to 1. So x comes nearer
      to 1 ever more slowly: 63 % of the way after 1 s, 95 % after 3 s, and never all of it. Nothing says where
      x starts, and the report tells what was assumed: x = 0, the default start value. Start it at 3 and the
      curve comes down from there, to the same end."));
end FirstOrder;
