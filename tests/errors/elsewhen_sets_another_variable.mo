// All branches determine the same variables.
model M
  Integer n(start=0, fixed=true);
  Integer m(start=0, fixed=true);
equation
  when time > 2 then
    n = 1;
  elsewhen time > 1 then
    m = 1;
  end when;
end M;
