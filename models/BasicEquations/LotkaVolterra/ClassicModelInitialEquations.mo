within BasicEquations.LotkaVolterra;
model ClassicModelInitialEquations "Initial equations say where it starts"
  parameter Real alpha = 0.1 "Prey: growth";
  parameter Real beta = 0.02 "Prey: deaths for each predator";
  parameter Real gamma = 0.4 "Predators: deaths";
  parameter Real delta = 0.02 "Predators: growth for each prey";
  parameter Real x0 = 10 "Prey at the start";
  parameter Real y0 = 10 "Predators at the start";
  Real x(start=x0) "Prey";
  Real y(start=y0) "Predators";
initial equation
  x = x0;
  y = y0;
equation
  der(x) = x*(alpha - beta*y);
  der(y) = y*(delta*x - gamma);
  annotation (experiment(StopTime=140, Tolerance=1e-9),
    Documentation(info="Two states need two initial conditions. ClassicModelFixedStartValues gives them by the
      attribute fixed, this model by equations; the run is the same, number by number. Equations can say more
      than an attribute: write x = 2*y for the first one, and x starts at 20, as y does at 10."));
end ClassicModelInitialEquations;
