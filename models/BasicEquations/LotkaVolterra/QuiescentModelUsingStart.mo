within BasicEquations.LotkaVolterra;
model QuiescentModelUsingStart "A balance of prey and predators, guessed from 10"
  // From here Newton's method finds x = gamma/delta and y = alpha/beta.
  parameter Real alpha = 0.1 "Prey: growth";
  parameter Real beta = 0.02 "Prey: deaths for each predator";
  parameter Real gamma = 0.4 "Predators: deaths";
  parameter Real delta = 0.02 "Predators: growth for each prey";
  Real x(start=10) "Prey";
  Real y(start=10) "Predators";
initial equation
  der(x) = 0;
  der(y) = 0;
equation
  der(x) = x*(alpha - beta*y);
  der(y) = y*(delta*x - gamma);
  annotation (experiment(StopTime=140));
end QuiescentModelUsingStart;
