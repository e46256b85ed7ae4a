connector Pin "An interface of models, and none of its own"
  Real v;
  flow Real i;
end Pin;
