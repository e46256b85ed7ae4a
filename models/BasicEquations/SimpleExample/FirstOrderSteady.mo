within BasicEquations.SimpleExample;
model FirstOrderSteady "FirstOrder that starts at rest: x = 1"
  Real x "Never moves";
initial equation
  der(x) = 0 "A condition on the derivative decides the state";
equation
  der(x) = 1 - x;
  annotation (experiment(StopTime=8));
end FirstOrderSteady;
