model M
  Real x(start=1, fixed=true);
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(x, 1);
  end when;
  when time > 2 then
    reinit(x, 2);
  end when;
end M;
