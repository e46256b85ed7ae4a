function fibonacci "Two calls in each call"
  input Integer n;
  output Integer f;
algorithm
  f := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
end fibonacci;

model CallsThatMultiply
  Real x = fibonacci(60);
end CallsThatMultiply;
