package P
  operator record Half
    Real n;
    encapsulated operator 'constructor'
      import P.Half;
      function of
        input Real x;
        output Half h = Half(2*x);
        output Real rest = 0;
      algorithm
      end of;
    end 'constructor';
  end Half;
end P;

model M
  P.Half a = P.Half(3.0);
end M;
