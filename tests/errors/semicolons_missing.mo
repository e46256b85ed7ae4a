// No semicolon at all.
model M
  Real x(start = 1, fixed = true)
  Real v
equation
  der(x) = v
  v = -x
end M
