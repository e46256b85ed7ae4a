// How often the loop goes round depends on the argument.
function rest
  input Real u;
  output Real y;
algorithm
  y := u;
  while y > 1 loop
    y := y - 1;
  end while;
end rest;
model M
  Real x = rest(time);
end M;
