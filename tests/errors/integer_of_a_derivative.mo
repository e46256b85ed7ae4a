model integer_of_a_derivative
  Integer n;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  der(x) = n;
end integer_of_a_derivative;
