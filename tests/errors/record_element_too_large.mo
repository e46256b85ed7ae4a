// A size that a record brings into a function: the caller sees neither it nor the record's declaration.
record Samples
  Real values[9007199254740993];
end Samples;

function samples
  input Real u;
  output Samples s;
algorithm
  s.values := {u, u, u};
end samples;

model RecordElementTooLarge
  Samples s = samples(time);
end RecordElementTooLarge;
