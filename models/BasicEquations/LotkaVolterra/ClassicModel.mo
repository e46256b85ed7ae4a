within BasicEquations.LotkaVolterra;
model ClassicModel "Start values are given, but nothing says that they hold"
  // There are no initial equations: mosim takes the start values of x and y as fixed, and says so.
  parameter Real alpha = 0.1 "Prey: growth";
  parameter Real beta = 0.02 "Prey: deaths for each predator";
  parameter Real gamma = 0.4 "Predators: deaths";
  parameter Real delta = 0.02 "Predators: growth for each prey";
  parameter Real x0 = 10 "Prey at the start";
  parameter Real y0 = 10 "Predators at the start";
  Real x(start=x0) "Prey";
  Real y(start=y0) "Predators";
equation
  der(x) = x*(alpha - beta*y);
  der(y) = y*(delta*x - gamma);
  annotation (experiment(StopTime=140, Tolerance=1e-9));
end ClassicModel;
