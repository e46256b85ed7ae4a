model Motor
  Real speed = 2*hidden;
protected
  Real hidden = time;
end Motor;
model M
  Motor motor;
  Real x = motor.hidden;
end M;
