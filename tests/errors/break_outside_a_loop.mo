model BreakOutsideALoop
  function limited
    input Real u;
    output Real y;
  algorithm
    y := u;
    if u < 1 then
      break;
    end if;
    y := 1;
  end limited;
  Real x = limited(time);
end BreakOutsideALoop;
