model Motor
  parameter Real poles = 4;
  Real speed = time/poles;
end Motor;
model M
  Motor motor(pole=6);
end M;
