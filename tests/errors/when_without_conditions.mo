model WhenWithoutConditions "The vector of conditions is still to be written"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when {} then
    n = pre(n) + 1;
  end when;
algorithm
  when x > 1 then
    terminate("enough");
  elsewhen { } then
    terminate("for another reason");
  end when;
end WhenWithoutConditions;
