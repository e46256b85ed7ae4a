model Motor
  final parameter Real poles = 4;
  Real speed = time/poles;
end Motor;
model M
  Motor motor(poles=6);
end M;
