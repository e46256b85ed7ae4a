within DiscreteBehavior.Accuracy;
model WithEvents "A square wave, integrated from edge to edge"
  // At every multiple of a period x = y to the last digits: no step ever crosses an edge.
  parameter Real freq = 1.0 "Of the square wave";
  Real x(start=0) "Area under the square wave";
  Real y = time "Its mean";
equation
  der(x) = if sin(2*Modelica.Constants.pi*freq*time) > 0 then 2.0 else 0.0;
  annotation (experiment(StopTime=7));
end WithEvents;
