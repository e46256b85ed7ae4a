within DiscreteBehavior.Hysteresis;
model HysteresisControl "A thermostat with a band of 2 K"
  // On after 0.5*ln(15/9) s, then off after 0.5*ln(3.5/1.5) s, on after 0.5*ln(11/9) s, and so forth.
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

  Boolean heat(start=false) "The heater is on";
  Temperature T "In the room";
  Heat Q "From the heater";
initial equation
  T = Tbar + 5;
  heat = false;
equation
  Q = if heat then Qcapacity else 0;
  C*der(T) = Q - h*(T - Tamb);
  when {T > Tbar + 1, T < Tbar - 1} then
    heat = T < Tbar;
  end when;
  annotation (experiment(StopTime=2, Tolerance=1e-8));
end HysteresisControl;
