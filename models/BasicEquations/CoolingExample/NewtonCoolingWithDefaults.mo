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
  annotation (experiment(StopTime=0.5),
    Documentation(info="A body loses heat the faster, the warmer it is than the air. Its excess of 65 degrees
      shrinks by the same factor in equal times: to 37 % after m*c_p/(h*A) = 0.171 s, where T is 49. All
      parameters have values, so that the model runs as it stands. Move m to 0.2: with twice the mass it takes
      twice as long to come down to 49."));
end NewtonCoolingWithDefaults;
