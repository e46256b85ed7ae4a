within DiscreteBehavior.CoolingRevisited;
model NewtonCoolingDynamic "A warm body in air that is colder and colder from 0.5 s on"
  type Temperature = Real(unit="K", min=0);
  type ConvectionCoefficient = Real(unit="W/(m2.K)", min=0);
  type Area = Real(unit="m2", min=0);
  type Mass = Real(unit="kg", min=0);
  type SpecificHeat = Real(unit="J/(K.kg)", min=0);

  parameter Temperature T0 = 363.15 "Of the body at the start";
  parameter ConvectionCoefficient h = 0.7;
  parameter Area A = 1.0;
  parameter Mass m = 0.1;
  parameter SpecificHeat c_p = 1.2;

  Temperature T_inf "Of the air";
  Temperature T "Of the body";
initial equation
  T = T0;
equation
  if time <= 0.5 then
    T_inf = 298.15;
  else
    T_inf = 298.15 - 20*(time - 0.5);
  end if;
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=1));
end NewtonCoolingDynamic;
