function total "Sum of n squares"
  input Integer n;
  output Real y = n*(n + 1)*(2*n + 1)/6;
end total;

model MisspeltFunctionOfTheFile
  Real x(start = 1, fixed = true);
equation
  der(x) = totl(3) - x;
end MisspeltFunctionOfTheFile;
