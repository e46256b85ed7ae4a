model M
  Boolean b = not time;
end M;
