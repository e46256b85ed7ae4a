model Small
  Real x = time;
end Small;
model Large
  Real x = 10*time;
end Large;
model Plant
  Small unit;
end Plant;
model M
  extends Plant(redeclare Large unit);
end M;
