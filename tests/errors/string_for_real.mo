model M
  parameter Real mass = "heavy";
  Real x = mass*time;
end M;
