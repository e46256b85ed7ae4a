// An equation in a when-clause has the variable that it assigns on its left side.
model M
  Real x(start=1, fixed=true);
  discrete Real y(start=0, fixed=true);
equation
  der(x) = -x;
  when x < 0.5 then
    2*y = x;
  end when;
end M;
