within BasicEquations.LotkaVolterra;
model QuiescentModelWithInheritance "ClassicModel in balance"
  extends ClassicModel;
initial equation
  der(x) = 0;
  der(y) = 0;
  annotation (experiment(StopTime=140));
end QuiescentModelWithInheritance;
