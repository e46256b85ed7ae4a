function mean
  input Real a;
  input Real b;
  output Real y = (a + b)/2;
end mean;
model M
  Real x = mean(time);
end M;
