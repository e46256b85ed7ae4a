model BreakOutsideALoopInAModel
  Real x;
algorithm
  x := 0;
  for k in 1:3 loop
    x := x + k;
  end for;
  if x > time then
    break;
  end if;
  x := 1;
end BreakOutsideALoopInAModel;
