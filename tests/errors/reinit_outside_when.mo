model M
  Real v(start=1, fixed=true);
equation
  der(v) = -9.81;
  reinit(v, 0);
end M;
