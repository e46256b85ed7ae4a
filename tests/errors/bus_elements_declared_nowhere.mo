// Neither bus declares pressure, so nothing says what it is.
model M
  connector In = input Real;
  connector Out = output Real;
  expandable connector Bus
    Real speed;
  end Bus;
  block Sensor
    Out y = time;
  end Sensor;
  block Actuator
    In u;
    Real z = 2*u;
  end Actuator;
  Bus a, b;
equation
  connect(a.pressure, b.pressure);
end M;
