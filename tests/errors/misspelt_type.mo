model M
  Reel x;
equation
  x = time;
end M;
