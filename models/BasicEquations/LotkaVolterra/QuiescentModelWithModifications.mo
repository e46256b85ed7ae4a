within BasicEquations.LotkaVolterra;
model QuiescentModelWithModifications "ClassicModel in another balance: x = 30, y = 5"
  extends QuiescentModelWithInheritance(gamma=0.3, delta=0.01);
  annotation (experiment(StopTime=140));
end QuiescentModelWithModifications;
