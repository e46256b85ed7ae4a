model M
  Real x(start=1, fixed=true);
  Integer n(start=0, fixed=true);
equation
  der(x) = -x;
  when x then
    n = pre(n) + 1;
  end when;
end M;
