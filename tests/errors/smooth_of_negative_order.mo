model Kink
  Real x = smooth(-1, if time > 0.5 then time - 0.5 else 0);
end Kink;
