model IntegerCountsRounds "A while loop that ends between events"
  Real x = 2 + time;
  Real root;
  Integer rounds;
algorithm
  root := x;
  rounds := 0;
  while abs(root^2 - x) > 1e-9 loop
    root := (root + x/root)/2;
    rounds := rounds + 1;
  end while;
end IntegerCountsRounds;
