within BasicEquations.SimpleExample;
model FirstOrderDocumented "FirstOrder with a description wherever one may stand"
  Real x "Starts at 0, the default start value, and tends to 1";
equation
  der(x) = 1 - x "The rate is the distance that is left";
  annotation (experiment(StopTime=8),
    Documentation(info="The same equation as FirstOrder, and the same curve. Texts in quotes behind a class, a
      variable or an equation are no comments: they belong to the model. That of x stands above its curve and in
      the menu of the variables. Write one of your own there and look for it."));
end FirstOrderDocumented;
