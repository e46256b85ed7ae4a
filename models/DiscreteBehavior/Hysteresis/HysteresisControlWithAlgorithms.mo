within DiscreteBehavior.Hysteresis;
model HysteresisControlWithAlgorithms "HysteresisControl with assignments"
  type HeatCapacitance = Real(unit="J/K");
  type Temperature = Real(unit="K");
  type Heat = Real(unit="W");
  type Mass = Real(unit="kg");
  type HeatTransferCoefficient = Real(unit="W/K");

  parameter HeatCapacitance C = 1.0 "Of the room";
  parameter HeatTransferCoefficient h = 2.0 "Through the walls";
  parameter Heat Qcapacity = 25.0 "Of the heater";
  parameter Temperature Tamb = 285 "Outside";
  parameter Temperature Tbar = 295 "Wanted";

  Boolean heat "The heater is on";
  Temperature T "In the room";
  Heat Q "From the heater";
initial equation
  T = Tbar + 5;
  heat = false;
equation
  Q = if heat then Qcapacity else 0;
  C*der(T) = Q - h*(T - Tamb);
algorithm
  when T < Tbar - 1 then
    heat := true;
  end when;
  when T > Tbar + 1 then
    heat := false;
  end when;
  annotation (experiment(StopTime=2, Tolerance=1e-8),
    Documentation(info="Two when-clauses with assignments switch the heater: on below 294 K, off above 296 K. In
      equations only one of them might set heat, but an algorithm goes from the top to the bottom, and the last
      assignment counts. The first event switches nothing: the room was above 296 K from the start. A heater of
      50 W switches 22 times in 2 s; one of 17 W never gets the room to 296 K, and stays on."));
end HysteresisControlWithAlgorithms;
