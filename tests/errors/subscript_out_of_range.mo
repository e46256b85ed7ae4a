model M
  Real v[3];
  Real last = v[4];
equation
  for i in 1:3 loop
    v[i] = i*time;
  end for;
end M;
