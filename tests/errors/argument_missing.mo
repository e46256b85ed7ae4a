model M
  Real x = atan2(time);
end M;
