model Motor
  parameter Real poles = 4;
  Real speed = time/poles;
end Motor;
model M
  Motor motor(poles=6, poles=8);
end M;
