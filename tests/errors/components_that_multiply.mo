model Leaf
  Real x = time;
end Leaf;

model Cell "Each level has a thousand of the level below"
  Leaf leaves[1000];
end Cell;

model Layer
  Cell cells[1000];
end Layer;

model ComponentsThatMultiply
  Layer layers[1000];
end ComponentsThatMultiply;
