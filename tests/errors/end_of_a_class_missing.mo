// The inner model does not end.
package P
  model Spring
    Real s, f;
  equation
    f = 2*s;

  model Test
    Spring spring(s = time);
  end Test;
end P;
