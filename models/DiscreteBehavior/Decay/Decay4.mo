within DiscreteBehavior.Decay;
model Decay4 "A right side that jumps: x falls to 1 and slides there"
  Real x;
initial equation
  x = 2;
equation
  der(x) = if x >= 1 then -1 else 1;
  annotation (experiment(StopTime=5),
    Documentation(info="x falls by 1 a second as long as it is above 1, and rises below: at 1 both sides lead
      back to 1. Each event undoes the one before, dozens of them at 1 s, until that is noticed as chattering;
      from there on x follows the threshold, with der(x) = 0, the mean of both sides. The report says so, and
      proposes two thresholds. Write 2 in place of the last 1: it still stays at 1, as only the sign counts."));
end Decay4;
