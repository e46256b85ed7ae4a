// The result goes to a name that is no output: y was meant.
function length
  input String s;
  output Integer y;
  external "C" n = ModelicaStrings_length(s);
end length;

model Long
  Integer k = length("a string");
end Long;
