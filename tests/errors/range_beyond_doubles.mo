// 2^53 is the last Integer before which each is a double of its own.
model Far
  Integer n[:] = 9007199254740990:9007199254740994;
end Far;
