// With an annotation that asks for one: a String has no default that would do.
model M
  parameter Real k;
  parameter Integer n;
  Real v[n];
equation
  for i in 1:n loop
    v[i] = k*time;
  end for;
end M;
