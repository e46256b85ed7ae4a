within DiscreteBehavior.SwitchedRLC;
model SwitchedRLC "RLC with a switch at the battery"
  type Voltage = Real(unit="V");
  type Current = Real(unit="A");
  type Resistance = Real(unit="Ohm");
  type Capacitance = Real(unit="F");
  type Inductance = Real(unit="H");

  parameter Voltage Vb = 24 "Of the battery";
  parameter Inductance L = 1;
  parameter Resistance R = 100;
  parameter Capacitance C = 1e-3;

  Voltage Vs "Behind the switch";
  Voltage V "Across resistor and capacitor";
  Current i_L;
  Current i_R;
  Current i_C;
equation
  Vs = if time > 0.5 then Vb else 0;
  i_R = V/R;
  i_C = C*der(V);
  i_L = i_R + i_C;
  L*der(i_L) = (Vs - V);
  annotation (experiment(StopTime=2),
    Documentation(info="Up to 0.5 s there is no voltage and nothing moves. Then the battery is switched on, at
      an event that is known in advance: Vs jumps from 0 to 24 V, while the states V and i_L do not, and only
      their slopes are new. What follows is the curve of RLC1, half a second later, with its peak of 38.5 V at
      0.6 s. With R = 1000 hardly anything ends the swinging, and the first peak has 46.8 V."));
end SwitchedRLC;
