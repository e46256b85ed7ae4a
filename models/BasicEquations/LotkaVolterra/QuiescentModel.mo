within BasicEquations.LotkaVolterra;
model QuiescentModel "A balance of prey and predators, guessed from start value 0"
  // There are two: nobody at all, and x = gamma/delta with y = alpha/beta. Newton's method, which begins at the
  // default start value 0, finds the first.
  parameter Real alpha = 0.1 "Prey: growth";
  parameter Real beta = 0.02 "Prey: deaths for each predator";
  parameter Real gamma = 0.4 "Predators: deaths";
  parameter Real delta = 0.02 "Predators: growth for each prey";
  Real x "Prey";
  Real y "Predators";
initial equation
  der(x) = 0;
  der(y) = 0;
equation
  der(x) = x*(alpha - beta*y);
  der(y) = y*(delta*x - gamma);
  annotation (experiment(StopTime=140));
end QuiescentModel;
