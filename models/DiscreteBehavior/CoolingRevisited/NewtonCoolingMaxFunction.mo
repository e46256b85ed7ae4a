within DiscreteBehavior.CoolingRevisited;
model NewtonCoolingMaxFunction "In balance with the air until that gets colder, by max"
  // max makes no event: the step control has to find the kink at 0.5 s by itself.
  type Temperature = Real(unit="K", min=0);
  type ConvectionCoefficient = Real(unit="W/(m2.K)", min=0);
  type Area = Real(unit="m2", min=0);
  type Mass = Real(unit="kg", min=0);
  type SpecificHeat = Real(unit="J/(K.kg)", min=0);

  parameter ConvectionCoefficient h = 0.7;
  parameter Area A = 1.0;
  parameter Mass m = 0.1;
  parameter SpecificHeat c_p = 1.2;

  Temperature T_inf "Of the air";
  Temperature T "Of the body";
initial equation
  der(T) = 0;
equation
  T_inf = 298.15 - max(0, 20*(time - 0.5));
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=1));
end NewtonCoolingMaxFunction;
