// How much of its height does a ball keep, if nobody knows exactly how well it bounces?
#include <cstdio>
#include <iostream>

#include "mosim/study.hpp"

int main() {
  mosim::Session session;
  session.read("models/DiscreteBehavior/BouncingBall/BouncingBall.mo");
  const auto model = session.compile("DiscreteBehavior.BouncingBall.BouncingBall");
  if (!model) return 1;

  const mosim::Plan plan(*model, {"e=uniform(0.7, 0.9)"}, {.runs = 2000, .sampling = mosim::Sampling::latin_hypercube});
  const mosim::Measures measures(*model, "rebound = max(if time > 0.4516 then h else 0)/h0");
  double sum = 0;
  mosim::study(model, plan, measures, {.run = {.stop = 0.95}}, [&](const mosim::Outcome& o) { sum += o.measures[0]; });
  std::printf("%.3f\n", sum / 2000);   // the mean of e*e: 0.643
}
