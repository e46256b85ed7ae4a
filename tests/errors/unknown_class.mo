// A type that is declared nowhere.
model M
  Tank tank;
end M;
