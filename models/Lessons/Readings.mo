within Lessons;
model Readings "A quantity that decays, as two instruments show it"
  Real x(start=1.1, fixed=true);
  Real held "Read at the start, and then every half second";
  Integer quarters = integer(4*x) "Whole quarters of x";
equation
  der(x) = -x;
  when {initial(), sample(0.5, 0.5)} then
    held = x;
  end when;
  annotation (experiment(StopTime=1.5));
end Readings;
