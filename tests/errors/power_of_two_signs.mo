model M
  Real x = time**2;
end M;
