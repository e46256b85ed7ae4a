within DiscreteBehavior.BouncingBall;
model AnyNotOr "A when-clause with a vector of conditions is not one with their `or`"
  // A vector fires whenever any of its elements becomes true. An `or` becomes true once: at 2 s it is so already.
  // Elements that become true together, be they the same relation or not, are one firing.
  Integer vector_count(start=0, fixed=true) "Fires at 1 s and at 2 s";
  Integer or_count(start=0, fixed=true) "Fires at 1 s";
  Integer equal_count(start=0, fixed=true) "Fires at 1 s, once";
  Integer together_count(start=0, fixed=true) "Fires at 1 s, once";
  discrete Real vector_time(start=-1, fixed=true) "Last firing";
  discrete Real or_time(start=-1, fixed=true) "Last firing";
  discrete Real equal_time(start=-1, fixed=true) "Last firing";
  discrete Real together_time(start=-1, fixed=true) "Last firing";
equation
  when {time > 1, time > 2} then
    vector_count = pre(vector_count) + 1;
    vector_time = time;
  end when;
  when time > 1 or time > 2 then
    or_count = pre(or_count) + 1;
    or_time = time;
  end when;
  when {time > 1, time > 1} then
    equal_count = pre(equal_count) + 1;
    equal_time = time;
  end when;
  when {time > 1, 2*time > 2} then
    together_count = pre(together_count) + 1;
    together_time = time;
  end when;
  annotation (experiment(StopTime=3));
end AnyNotOr;
