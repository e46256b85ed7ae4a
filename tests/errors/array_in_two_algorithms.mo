model ArrayInTwoAlgorithms
  Real position[2](start = {1, 2});
algorithm
  position[1] := sin(time);
algorithm
  position[2] := cos(time);
end ArrayInTwoAlgorithms;
