// inStream of the pressure instead of the enthalpy.
model M
  connector Port
    Real p;
    flow Real m;
    stream Real h;
  end Port;
  model Tank
    Port c;
    Real x = inStream(c.p);
  equation
    c.p = 1;
    c.h = 2;
  end Tank;
  Tank tank;
end M;
