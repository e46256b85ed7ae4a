within BasicEquations.LotkaVolterra;
model ComplexInitialization "ClassicModel with a nonlinear pair of initial conditions"
  // The two conditions leave a cubic equation for y, 0.04*y^3 - 0.2*y^2 - 2.2*y + 1 = 0, with three real roots.
  // The guess x = y = 10 decides which one is found.
  extends ClassicModel;
initial equation
  der(x) = 2*y;
  x/2 + y^2 = 5;
  annotation (experiment(StopTime=5));
end ComplexInitialization;
