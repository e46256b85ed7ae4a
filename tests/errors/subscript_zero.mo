// Subscripts begin at 1.
model M
  Real v[3];
equation
  for i in 0:2 loop
    v[i] = i*time;
  end for;
end M;
