model M
  Real x = time; /* A comment without an end
end M;
