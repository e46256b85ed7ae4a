within BasicEquations.SimpleExample;
model FirstOrderInitial "FirstOrder from above: x = 1 + exp(-time)"
  Real x "Tends to 1";
initial equation
  x = 2 "Holds at the start only";
equation
  der(x) = 1 - x;
  annotation (experiment(StopTime=8));
end FirstOrderInitial;
