model IntegerBeyondExactness
  constant Integer million = 1000000;
  constant Integer n = million*million*million;
  Real x = n*time;
end IntegerBeyondExactness;
