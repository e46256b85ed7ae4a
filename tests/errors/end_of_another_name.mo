model M
  Real x = time;
end N;
