model M
  Real x;
algorithm
  x := time;
  while x > 1 loop
    x := x - 1;
  end while;
end M;
