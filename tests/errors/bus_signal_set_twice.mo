// Two sensors write the same element of one bus, each in a component of its own.
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
    Sensor sensor;
  equation
    connect(sensor.y, bus.temperature);
  end Side;
  Side left, right;
  Bus bus;
equation
  connect(left.bus, bus);
  connect(right.bus, bus);
end M;
