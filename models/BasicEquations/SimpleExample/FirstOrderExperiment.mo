within BasicEquations.SimpleExample;
model FirstOrderExperiment "FirstOrderInitial that says how long it wants to run"
  Real x "Tends to 1";
initial equation
  x = 2;
equation
  der(x) = 1 - x;
  annotation (experiment(StartTime=0, StopTime=8));
end FirstOrderExperiment;
