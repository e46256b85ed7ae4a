// Both ends of the line set the angle, and the line has no connection that could be left out.
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
  model Line
    Plug p, n;
  equation
    Connections.root(p.theta);
    Connections.branch(p.theta, n.theta);
    Connections.root(n.theta);
    p.theta = time;
    n.theta = p.theta;
    p.v = n.v;
    p.i + n.i = 0;
  end Line;
  Line line;
end M;
