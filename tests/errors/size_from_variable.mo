model M
  Integer n = 3;
  Real x[n];
equation
  for i in 1:3 loop
    x[i] = time;
  end for;
end M;
