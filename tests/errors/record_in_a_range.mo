record R
  Real n;
end R;
function f
  input Integer once;
  output R s;
algorithm
  s.n := 0;
  for i in s:once loop
    s.n := s.n + 1;
  end for;
end f;
model M
  Integer n(start = 3, fixed = true);
  R s;
equation
  s = f(n);
  when time > 9 then
    n = 1;
  end when;
end M;
