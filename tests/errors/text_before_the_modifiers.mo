model M
  Real x "text" (start = 1);
equation
  der(x) = -x;
end M;
