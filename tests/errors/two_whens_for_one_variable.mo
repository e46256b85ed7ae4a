model M
  Integer n(start=0, fixed=true);
equation
  when sample(0, 0.1) then
    n = pre(n) + 1;
  end when;
  when time > 1 then
    n = 0;
  end when;
end M;
