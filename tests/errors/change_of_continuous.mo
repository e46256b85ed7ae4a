model ChangeOfContinuous "A Real that varies at all times has no changes"
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when change(x) then
    n = pre(n) + 1;
  end when;
end ChangeOfContinuous;
