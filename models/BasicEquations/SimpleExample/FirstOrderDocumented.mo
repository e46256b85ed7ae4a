within BasicEquations.SimpleExample;
model FirstOrderDocumented "FirstOrder with a description wherever one may stand"
  Real x "Starts at 0, the default start value, and tends to 1";
equation
  der(x) = 1 - x "The rate is the distance that is left";
  annotation (experiment(StopTime=8));
end FirstOrderDocumented;
