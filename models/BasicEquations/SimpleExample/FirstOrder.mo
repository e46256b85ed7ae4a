within BasicEquations.SimpleExample;
model FirstOrder "The shortest model: x = 1 - exp(-time)"
  Real x;
equation
  der(x) = 1 - x;
  annotation (experiment(StopTime=8));
end FirstOrder;
