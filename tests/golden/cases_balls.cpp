// DiscreteBehavior.BouncingBall.

#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

// Where a ball that falls from 1 m at t = 0 and keeps e of its speed at an impact is at t: the instant of the last
// impact and the speed after it; before the first one, `first`.
struct Flight {
  double from, up;
  bool first;
};
Flight flight(double t, double e) {
  const double t1 = std::sqrt(2 / 9.81);
  if (t < t1) return {0, 0, true};
  double from = t1, hop = 2 * t1 * e;
  while (from + hop <= t) {
    from += hop;
    hop *= e;
  }
  return {from, 9.81 * hop / 2, false};
}

bool at_impact(double t) {
  for (const double impact : impacts(3.6, 0.8))
    if (std::fabs(t - impact) < 1e-6) return true;
  return false;
}

State ball(double t) { return bouncing_ball(t, 0.8); }

}  // namespace

State bouncing_ball(double t, double e) {
  const Flight f = flight(t, e);
  const double s = t - f.from;
  return {(f.first ? 1 : 0) + f.up * s - 9.81 / 2 * s * s, f.up - 9.81 * s};
}

std::vector<double> impacts(double stop, double e) {
  std::vector<double> instants;
  const double t1 = std::sqrt(2 / 9.81);
  double t = t1;
  for (int n = 1; t < stop; ++n) {
    instants.push_back(t);
    t += 2 * t1 * std::pow(e, n);
  }
  return instants;
}

std::vector<Case> ball_cases() {
  std::vector<Case> all;
  {
    Case c;
    c.name = "BouncingBall";
    c.file = "DiscreteBehavior/BouncingBall/BouncingBall.mo";
    c.settings = {.start = 0, .stop = 3, .tolerance = 1e-8};
    c.witness = {"closed form: parabolas between impacts", {"h", "v"}, ball, 2e-5, impacts(3, 0.8), 1e-6};
    all.push_back(std::move(c));
  }
  {
    // The rebounds end at 9*t1 = 4.0637 s; from there it falls to -eps, which takes sqrt(2*eps/g) = 0.0143 s.
    Case c;
    c.name = "StableBouncingBall";
    c.file = "DiscreteBehavior/BouncingBall/StableBouncingBall.mo";
    c.settings = {.start = 0, .stop = 10, .tolerance = 1e-8};
    c.witness.by = "closed form: parabolas between impacts up to 3.5 s, rest at -eps from 4.2 s on";
    c.witness.variables = {"h", "v", "done"};
    c.witness.at = [](double t) {
      if (t < 3.5 && !at_impact(t)) return State{ball(t)[0], ball(t)[1], 0};
      if (t > 4.2) return State{-1e-3, 0, 1};
      return State{not_told, not_told, not_told};
    };
    c.witness.tolerance = 1e-4;
    c.witness.events.reset();   // test_figures.cpp looks at them
    all.push_back(std::move(c));
  }
  {
    Case c;
    c.name = "AnyNotOr";
    c.file = "DiscreteBehavior/BouncingBall/AnyNotOr.mo";
    c.settings.stop = 3;
    c.witness.by = "by hand: the vector at 1 and 2, the others at 1";
    c.witness.variables = {"vector_count", "or_count", "equal_count", "together_count",
                           "vector_time",  "or_time",  "equal_time",  "together_time"};
    c.witness.at = [](double t) {
      if (t < 1) return State{0, 0, 0, 0, -1, -1, -1, -1};
      if (t < 2) return State{1, 1, 1, 1, 1, 1, 1, 1};
      return State{2, 1, 1, 1, 2, 1, 1, 1};
    };
    c.witness.events = std::vector<double>{1, 2};
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace mosim::golden
