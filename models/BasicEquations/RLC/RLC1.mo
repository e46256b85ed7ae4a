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
  annotation (experiment(StopTime=1));
end RLC1;
