within DiscreteBehavior.CoolingRevisited;
model NewtonCoolingIfExpression "In balance with the air until that gets colder, by an if-expression"
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
  T_inf = 298.15 - (if time < 0.5 then 0 else 20*(time - 0.5));
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=1),
    Documentation(info="Up to 0.5 s body and air have one temperature, as the initial equation der(T) = 0 asks
      for. Then the air gets colder by 20 K/s and the body follows: not at once, and 3.2 K behind it at 1 s. The
      relation in the if is known to change at 0.5 s, so the integrator steps exactly there: event 1, at which
      nothing jumps. The lag tends to 20*m*c_p/(h*A) = 3.4 K: with m = 0.4 that is 13.7 K, and the run ends
      halfway there."));
end NewtonCoolingIfExpression;
