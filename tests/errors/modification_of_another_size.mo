// Two parts, three values.
model Part
  parameter Real k = 1;
  Real x = k*time;
end Part;
model M
  Part parts[2](k={1, 2, 3});
end M;
