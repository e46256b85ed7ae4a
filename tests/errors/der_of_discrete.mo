model M
  Integer n(start=0);
  Real x;
equation
  when time > 1 then
    n = pre(n) + 1;
  end when;
  x = der(n);
end M;
