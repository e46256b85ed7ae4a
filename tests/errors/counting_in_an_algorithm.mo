model M
  Integer n(start = 0, fixed = true);
algorithm
  when sample(0, 0.1) then
    n += 1;
  end when;
end M;
