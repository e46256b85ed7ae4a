model M
  extends M;
  Real x = time;
end M;
