package Tanks "The models are in it"
  model Tank
    Real h(start = 1, fixed = true);
  equation
    der(h) = -h;
  end Tank;
  package Examples
    model Draining
      Tank tank;
    end Draining;
  end Examples;
end Tanks;
