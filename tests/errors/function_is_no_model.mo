model Falling
  Real y = half(9.81)*time^2;
end Falling;

function half "The last class of the file is the one that is asked for"
  input Real x;
  output Real y = x/2;
end half;
