// Examples of books import them above.
model M
  parameter SI.Voltage v = 1;
end M;
