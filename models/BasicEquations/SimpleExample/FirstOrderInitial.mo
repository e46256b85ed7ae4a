within BasicEquations.SimpleExample;
model FirstOrderInitial "FirstOrder from above: x = 1 + exp(-time)"
  Real x "Tends to 1";
initial equation
  x = 2 "Holds at the start only";
equation
  der(x) = 1 - x;
  annotation (experiment(StopTime=8),
    Documentation(info="What stands below initial equation holds at the start and not after it: x begins at 2.
      From then on the equation alone decides, and as it always pulls towards 1, the curve now comes from above.
      Write x = -1 there: from below and from twice as far, it takes the same 5 s to leave less than 1 % of the
      way."));
end FirstOrderInitial;
