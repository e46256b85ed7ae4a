within DiscreteBehavior.SynchronousSystems;
model ZTransforms "Differential equations, solved by the clock: one step of Euler's method a tick"
  Real x;
  Real v;
  Real a "Sampled";
equation
  der(x) = v;
  der(v) = a;
  a = sample(sin(time), Clock(Clock(0.1), solverMethod="ExplicitEuler"));
  annotation (experiment(StopTime=1));
end ZTransforms;
