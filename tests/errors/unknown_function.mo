model M
  Real x = cosine(time);
end M;
