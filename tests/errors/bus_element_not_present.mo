// The bus declares speed, but the sensor is connected to another element of it.
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
  Bus bus;
  Sensor sensor;
  Real y = bus.speed;
equation
  connect(bus.sped, sensor.y);
end M;
