model M
  model Filter
    input Real u;
    Real y;
  algorithm
    u := 2;
    y := u;
  end Filter;
  Filter filter(u=time);
end M;
