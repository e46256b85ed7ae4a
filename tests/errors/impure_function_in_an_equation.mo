model Monitor "tells of its level"
  impure function print
    input String string;
    input String fileName = "";
    external "C" ModelicaInternal_print(string, fileName);
  end print;
  Real level(start = 1, fixed = true);
equation
  der(level) = -level;
  print("the level is " + String(level));
end Monitor;
