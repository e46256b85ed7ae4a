// The model repeats what its component has said: a second edge between the same two angles.
model M
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[0];
    algorithm
      assert(abs(a - b) < 1e-6, "the angles differ");
    end equalityConstraint;
  end Angle;
  connector Plug
    Angle theta;
    Real v;
    flow Real i;
  end Plug;
  model Source
    Plug p;
  equation
    Connections.root(p.theta);
    p.theta = time;
    p.v = 10;
  end Source;
  model Load
    Plug p, n;
  equation
    Connections.branch(p.theta, n.theta);
    p.theta = n.theta;
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end Load;
  Source s;
  Load l;
equation
  connect(s.p, l.p);
  Connections.branch(l.n.theta, l.p.theta);
  l.n.v = 0;
end M;
