within BasicEquations.SimpleExample;
model FirstOrderExperiment "FirstOrderInitial that says how long it wants to run"
  Real x "Tends to 1";
initial equation
  x = 2;
equation
  der(x) = 1 - x;
  annotation (experiment(StartTime=0, StopTime=8),
    Documentation(info="A model may say how it wants to be run, in the annotation experiment at its end: here
      from 0 to 8 s. That is a proposal, and settings of a run come before it: until 2 s, x has come down to
      1.135 only. The equations know nothing of it, and the curve up to there is the same."));
end FirstOrderExperiment;
