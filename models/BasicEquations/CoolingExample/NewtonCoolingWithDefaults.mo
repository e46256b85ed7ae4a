within BasicEquations.CoolingExample;
model NewtonCoolingWithDefaults "Cooling after Newton, in degrees Celsius"
  parameter Real T_inf = 25 "Of the air";
  parameter Real T0 = 90 "Of the body at the start";
  parameter Real h = 0.7 "Heat transfer coefficient of the surface";
  parameter Real A = 1.0 "Surface";
  parameter Real m = 0.1 "Mass";
  parameter Real c_p = 1.2 "Heat capacity of a unit of mass";
  Real T "Of the body";
initial equation
  T = T0;
equation
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=0.5));
end NewtonCoolingWithDefaults;
