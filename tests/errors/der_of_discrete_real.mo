model M
  discrete Real u(start=0);
  Real v;
equation
  when sample(0, 0.1) then
    u = time;
  end when;
  v = der(u);
end M;
