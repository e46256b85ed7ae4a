model M
  Real x = time;
  M inside;
end M;
