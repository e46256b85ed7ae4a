// A condition is a Boolean.
model M
  Real x = if time then 1 else 2;
end M;
