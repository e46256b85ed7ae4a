within DiscreteBehavior.Hysteresis;
model ChatteringControl "A thermostat with a single threshold"
  // From 0.5*ln(15/10) s on the room slides along Tbar, and the heater is switched without end: chattering, which
  // mosim finds, limits and reports.
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
equation
  heat = T < Tbar;
  Q = if heat then Qcapacity else 0;
  C*der(T) = Q - h*(T - Tamb);
  annotation (experiment(StopTime=1, Tolerance=1e-6));
end ChatteringControl;
