model PreOfContinuous "A decay that asks for a left limit between events"
  Real x(start = 1, fixed = true);
equation
  der(x) = -pre(x);
end PreOfContinuous;
