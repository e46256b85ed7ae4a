within BasicEquations.RLC;
model RLC1 "The circuit's equations as they are first written down"
  type Voltage = Real(unit="V");
  type Current = Real(unit="A");
  type Resistance = Real(unit="Ohm");
  type Capacitance = Real(unit="F");
  type Inductance = Real(unit="H");

  parameter Voltage Vb = 24 "Of the battery";
  parameter Inductance L = 1;
  parameter Resistance R = 100;
  parameter Capacitance C = 1e-3;

  Voltage V "Across resistor and capacitor";
  Current i_L;
  Current i_R;
  Current i_C;
equation
  V = i_R*R;
  C*der(V) = i_C;
  L*der(i_L) = (Vb - V);
  i_L = i_R + i_C;
  annotation (experiment(StopTime=1),
    Documentation(info="The battery charges the capacitor through the coil, and the current in a coil does not
      stop at once: at 24 V it still flows, so that V goes up to 38.5 V at 0.1 s and swings around 24 V ever
      less. What ends the swinging is the resistor beside the capacitor. Look at i_L and i_C: the current of the
      coil ends at 0.24 A, that of the capacitor at 0. With R = 10 so much goes through the resistor that V
      comes up to 24 V without swinging."));
end RLC1;
