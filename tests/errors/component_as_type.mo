model M
  Real speed = time;
  speed x;
end M;
