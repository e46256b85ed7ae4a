within BasicEquations.CoolingExample;
model NewtonCoolingWithTypes "Cooling after Newton, units and limits kept in types"
  type Temperature = Real(unit="K", min=0);
  type ConvectionCoefficient = Real(unit="W/(m2.K)", min=0);
  type Area = Real(unit="m2", min=0);
  type Mass = Real(unit="kg", min=0);
  type SpecificHeat = Real(unit="J/(K.kg)", min=0);

  parameter Temperature T_inf = 298.15 "Of the air";
  parameter Temperature T0 = 363.15 "Of the body at the start";
  parameter ConvectionCoefficient h = 0.7;
  parameter Area A = 1.0;
  parameter Mass m = 0.1;
  parameter SpecificHeat c_p = 1.2;
  Temperature T "Of the body";
initial equation
  T = T0;
equation
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=0.5),
    Documentation(info="Five types keep unit and limit of each kind of quantity in one place. The curve is that
      of NewtonCoolingWithUnits. The limits are watched: with T0 = -1 the run is refused, as no temperature is
      below 0 K, and the message names the parameter. With T0 = 280 the body is colder than the air and warms up
      by the same equation."));
end NewtonCoolingWithTypes;
