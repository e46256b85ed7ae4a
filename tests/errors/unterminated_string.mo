model M
  Real x = time "a description without an end;
end M;
