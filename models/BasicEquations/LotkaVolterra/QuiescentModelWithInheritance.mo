within BasicEquations.LotkaVolterra;
model QuiescentModelWithInheritance "ClassicModel in balance"
  extends ClassicModel;
initial equation
  der(x) = 0;
  der(y) = 0;
  annotation (experiment(StopTime=140),
    Documentation(info="It takes all of ClassicModel by extends and adds what is different: at the start both
      derivatives are 0. Newton's method, which begins at the start values of 10, finds x = gamma/delta = 20 and
      y = alpha/beta = 5, as event 0 tells, and there both stay. Set alpha to 0.2: faster growing prey do not
      get more, it is the predators that become 10."));
end QuiescentModelWithInheritance;
