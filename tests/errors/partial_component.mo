partial model Source
  Real u;
end Source;
model M
  Source source;
end M;
