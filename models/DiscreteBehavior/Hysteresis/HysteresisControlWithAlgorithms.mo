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
  annotation (experiment(StopTime=2, Tolerance=1e-8));
end HysteresisControlWithAlgorithms;
