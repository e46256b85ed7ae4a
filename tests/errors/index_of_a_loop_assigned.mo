model M
  Real x[3];
equation
  for i in 1:3 loop
    i = 2;
    x[i] = time;
  end for;
end M;
