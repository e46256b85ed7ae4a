model M
  Real x = time;
  Integer n(start=0, fixed=true);
equation
  when sample(0, x) then
    n = pre(n) + 1;
  end when;
end M;
