model M
  Real x(start = 1, fixed = true);
  Real force;
  discrete Real set, held, copy;
equation
  der(x) = -1;
  held = force;
  3*force = 2*x + sin(held);
  copy = set;
  when sample(0, 0.1) then
    set = x;
  end when;
end M;
