within DiscreteBehavior.Decay;
model Decay5 "Decay4 without events: the step control alone keeps x near 1"
  Real x;
initial equation
  x = 2;
equation
  der(x) = if noEvent(x >= 1) then -1 else 1;
  annotation (experiment(StopTime=5),
    Documentation(info="Decay4 with noEvent: the relation is looked at as it is, and nothing is searched for.
      Steps that end beyond the jump fail, and get smaller and smaller; when the derivative has jumped back and
      forth, the relation is watched after all, from 1 s on, as the report tells. So the curve is the one of
      Decay4, for more evaluations. noEvent is for expressions that are continuous; this one jumps."));
end Decay5;
