within BasicEquations.CoolingExample;
model NewtonCooling "Cooling after Newton; the numbers are left to the user"
  // As it stands there is nothing to compute with. Expected, with exit status 3: a warning for every parameter that
  // it has no value and is taken as 0, and then an error: where m*c_p is 0, nothing determines der(T). The values
  // can come from the command line (--set T_inf=25 --set T0=90 ...) or from a model that extends this one.
  parameter Real T_inf "Of the air";
  parameter Real T0 "Of the body at the start";
  parameter Real h "Heat transfer coefficient of the surface";
  parameter Real A "Surface";
  parameter Real m "Mass";
  parameter Real c_p "Heat capacity of a unit of mass";
  Real T "Of the body";
initial equation
  T = T0;
equation
  m*c_p*der(T) = h*A*(T_inf - T);
  annotation (experiment(StopTime=0.5));
end NewtonCooling;
