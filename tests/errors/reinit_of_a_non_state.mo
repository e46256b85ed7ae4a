model M
  Real x(start=1, fixed=true);
  Real y = 2*x;
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(y, 4);
  end when;
end M;
