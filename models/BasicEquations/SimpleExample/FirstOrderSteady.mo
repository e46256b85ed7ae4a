within BasicEquations.SimpleExample;
model FirstOrderSteady "FirstOrder that starts at rest: x = 1"
  Real x "Never moves";
initial equation
  der(x) = 0 "A condition on the derivative decides the state";
equation
  der(x) = 1 - x;
  annotation (experiment(StopTime=8),
    Documentation(info="The initial equation speaks of the derivative, not of x: nothing moves at the start. The
      value of x that makes it so is computed from both equations together, 1 - x = 0, before the run begins. x
      stays at 1, a straight line. Ask for der(x) = 0.5 instead, and it starts at 0.5."));
end FirstOrderSteady;
