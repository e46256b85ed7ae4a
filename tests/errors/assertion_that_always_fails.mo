model Unfinished "Its author wanted to be reminded"
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  assert(false, "the friction is missing");
end Unfinished;
