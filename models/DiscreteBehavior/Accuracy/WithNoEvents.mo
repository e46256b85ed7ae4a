within DiscreteBehavior.Accuracy;
model WithNoEvents "A square wave, integrated across its edges"
  // The step control does not know of the edges: every one leaves an error, and at a high frequency all but the
  // first few may be missed.
  parameter Real freq = 1.0 "Of the square wave";
  Real x(start=0) "Area under the square wave";
  Real y = time "Its mean";
equation
  der(x) = noEvent(if sin(2*Modelica.Constants.pi*freq*time) > 0 then 2.0 else 0.0);
  annotation (experiment(StopTime=7));
end WithNoEvents;
