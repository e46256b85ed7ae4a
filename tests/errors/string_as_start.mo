model M
  Real x(start="one", fixed=true);
equation
  der(x) = -x;
end M;
