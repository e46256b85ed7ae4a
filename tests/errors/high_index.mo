// The position of the bob is constrained: the equations determine the force only through their derivatives.
model M
  Real x(start=1), y(start=0), vx, vy, f;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = f*x;
  der(vy) = f*y - 9.81;
  x^2 + y^2 = 1;
end M;
