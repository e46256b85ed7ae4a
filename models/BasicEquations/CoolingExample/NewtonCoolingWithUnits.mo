within BasicEquations.CoolingExample;
model NewtonCoolingWithUnits "Cooling after Newton, every variable with its unit"
  parameter Real T_inf(unit="K") = 298.15 "Of the air";
  parameter Real T0(unit="K") = 363.15 "Of the body at the start";
  parameter Real h(unit="W/(m2.K)") = 0.7 "Heat transfer coefficient of the surface";
  parameter Real A(unit="m2") = 1.0 "Surface";
  parameter Real m(unit="kg") = 0.1 "Mass";
  parameter Real c_p(unit="J/(K.kg)") = 1.2 "Heat capacity of a unit of mass";
  Real T(unit="K") "Of the body";
initial equation
  T = T0;
equation
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=0.5),
    Documentation(info="NewtonCoolingWithDefaults in kelvin: 273.15 more on both sides of the difference T_inf -
      T change nothing of the cooling. Units are shown at the axis and beside the values, and variables of one
      unit share a panel. Double h: after half a second the body is 0.2 K warmer than the air, and no longer 3.5
      K."));
end NewtonCoolingWithUnits;
