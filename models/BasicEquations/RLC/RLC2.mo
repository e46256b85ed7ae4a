within BasicEquations.RLC;
model RLC2 "RLC1, each equation solved for another variable: nothing changes"
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
  der(V) = i_C/C;
  der(i_L) = (Vb - V)/L;
  i_R = i_L - i_C;
  V = i_R*R;
  annotation (experiment(StopTime=1),
    Documentation(info="An equation is no assignment: both sides are equal, whichever of them stands on the
      left. This model has the four equations of RLC1 in another form and order, and each row of its result is
      that of RLC1. Pin a run of RLC1 and replace its equations by these: no second curve is seen. A smaller
      capacitor, C = 1e-4, leaves 27.9 V of the first peak."));
end RLC2;
