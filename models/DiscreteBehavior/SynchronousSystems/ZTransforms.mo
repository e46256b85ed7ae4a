within DiscreteBehavior.SynchronousSystems;
model ZTransforms "Differential equations, solved by the clock: one step of Euler's method a tick"
  Real x;
  Real v;
  Real a "Sampled";
equation
  der(x) = v;
  der(v) = a;
  a = sample(sin(time), Clock(Clock(0.1), solverMethod="ExplicitEuler"));
  annotation (experiment(StopTime=1),
    Documentation(info="a belongs to a clock of 10 Hz with a method of integration, and so do v and x: at each
      tick one step of Euler's explicit method, and nothing in between. The staircase of x ends at 0.115, where
      the exact solution, time - sin(time), has 0.159, because each step goes on with the slope of its
      beginning. Write Clock(0.01) for Clock(0.1): 101 ticks, and the end is far nearer."));
end ZTransforms;
