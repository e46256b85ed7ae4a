within BasicEquations.LotkaVolterra;
model QuiescentModelWithModifications "ClassicModel in another balance: x = 30, y = 5"
  extends QuiescentModelWithInheritance(gamma=0.3, delta=0.01);
  annotation (experiment(StopTime=140),
    Documentation(info="Two numbers of QuiescentModelWithInheritance are changed where it is extended, and
      nothing is written again. Predators that die less often, but gain less from each prey, are in balance with
      0.3/0.01 = 30 prey, while their own number, alpha/beta = 5, does not depend on either of the two. Change
      delta back to 0.02, and x becomes 15."));
end QuiescentModelWithModifications;
