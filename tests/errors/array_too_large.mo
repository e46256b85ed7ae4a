model ArrayTooLarge "A size with too many zeros"
  parameter Integer n = 1000000000;
  Real x[n];
equation
  for i in 1:3 loop
    x[i] = i;
  end for;
end ArrayTooLarge;
