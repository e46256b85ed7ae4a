within BasicEquations.LotkaVolterra;
model ClassicModelFixedStartValues "The attribute fixed says where it starts"
  parameter Real alpha = 0.1 "Prey: growth";
  parameter Real beta = 0.02 "Prey: deaths for each predator";
  parameter Real gamma = 0.4 "Predators: deaths";
  parameter Real delta = 0.02 "Predators: growth for each prey";
  parameter Real x0 = 10 "Prey at the start";
  parameter Real y0 = 10 "Predators at the start";
  Real x(start=x0, fixed=true) "Prey";
  Real y(start=y0, fixed=true) "Predators";
equation
  der(x) = x*(alpha - beta*y);
  der(y) = y*(delta*x - gamma);
  annotation (experiment(StopTime=140, Tolerance=1e-9),
    Documentation(info="Where there are many prey, predators multiply; where there are many predators, prey get
      fewer, and then the predators starve. So both go round, here every 35 s, and the peaks of the predators
      come 5 s after those of the prey. Choose x as the x axis of the panel: the motion is a closed curve. Start
      nearer to the balance of 20 prey and 5 predators, at x0 = 20 and y0 = 10, say, and the curve is smaller;
      start in it and nothing moves."));
end ClassicModelFixedStartValues;
