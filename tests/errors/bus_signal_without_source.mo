// The actuator reads an element of its bus that no other component sets.
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
  model Side
    Bus bus;
    Actuator actuator;
  equation
    connect(bus.temperature, actuator.u);
  end Side;
  Side side;
end M;
