model Sampled
  Real x = sample(time, Clock(tick));
end Sampled;
