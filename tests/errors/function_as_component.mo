model M
  function twice
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end twice;
  twice f;
end M;
