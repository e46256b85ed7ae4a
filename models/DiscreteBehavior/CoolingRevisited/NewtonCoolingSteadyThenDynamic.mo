within DiscreteBehavior.CoolingRevisited;
model NewtonCoolingSteadyThenDynamic "In balance with the air until that gets colder, by an if-equation"
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
  if time <= 0.5 then
    T_inf = 298.15;
  else
    T_inf = 298.15 - 20*(time - 0.5);
  end if;
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=1),
    Documentation(info="The model of NewtonCoolingIfExpression, with an if-equation: each branch has an equation
      of its own for T_inf. The event is the same, at 0.5 s, but for its text: time <= 0.5 becomes false, which
      is what holds from there on. Write T_inf = 290 in the second branch: the air jumps at the event, and of T
      only the slope does."));
end NewtonCoolingSteadyThenDynamic;
