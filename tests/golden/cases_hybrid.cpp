// HybridSystems.

#include <algorithm>
#include <cmath>

#include "tests/golden/cases.hpp"
#include "tests/golden/hybrid_witness.hpp"

namespace mosim::golden {
namespace {

/// The state at t of what went on from the last of `list` before it; asks for later and later instants are cheap.
std::function<State(double t)> follow_contacts(std::vector<Point> list) {
  return [list = std::move(list), i = std::size_t(0), p = Point{}](double t) mutable {
    if (i == 0 || t < p.t || (i < list.size() && list[i].t <= t)) {
      for (i = 1; i < list.size() && list[i].t <= t;) ++i;
      p = list[i - 1];
    }
    p = integrate(ball_and_platform, p, t);
    return p.x;
  };
}

}  // namespace

std::vector<Case> hybrid_cases() {
  std::vector<Case> all;
  {
    Case c;
    c.name = "CoupledBallPlatform";
    c.file = "HybridSystems/CoupledBallPlatform.mo";
    c.settings = {.start = 0, .stop = 16, .tolerance = 1e-10};
    const std::vector<Point> list = platform_contacts(16);
    c.witness.by = "independent integration from contact to contact (Dormand-Prince at 1e-13)";
    c.witness.variables = {"xi1", "xi2", "eta1", "eta2"};
    c.witness.at = follow_contacts(list);
    c.witness.tolerance = 1e-5;
    for (std::size_t i = 1; i < list.size(); ++i) c.witness.events->push_back(list[i].t);
    c.witness.event_tolerance = 1e-5;
    all.push_back(std::move(c));
  }
  {
    Case c;
    c.name = "NonsmoothBall";
    c.file = "HybridSystems/NonsmoothBall.mo";
    c.settings = {.start = 0, .stop = 10};
    c.witness.by = "the scheme's own arithmetic, step by step";
    c.witness.variables = scheme_names();
    c.witness.at = [steps = newmark_ball(1e-2, 1000)](double t) {
      return scheme_values(steps.at(static_cast<std::size_t>(t / 1e-2 + 1e-6)));
    };
    c.witness.tolerance = 1e-12;
    c.witness.events = ticks(1e-2, 1e-2, 10 + 1e-9);
    c.witness.event_tolerance = 1e-14;
    all.push_back(std::move(c));
  }
  {
    Case c;
    c.name = "NonsmoothBallComparison";
    c.file = "HybridSystems/NonsmoothBallComparison.mo";
    c.settings = {.start = 0, .stop = 5, .tolerance = 1e-10};
    c.witness.by = "the scheme's own arithmetic, and parabolas between impacts";
    c.witness.variables = {"scheme.u", "scheme.v", "ball.h", "ball.v", "distance", "largest"};
    std::vector<double> distance{0}, largest{0};
    const std::vector<SchemeStep> steps = newmark_ball(1e-2, 500);
    for (int n = 1; n <= 500; ++n) {
      distance.push_back(std::fabs(steps[n].u - bouncing_ball(n * 1e-2, 0.9)[0]));
      largest.push_back(std::max(largest.back(), distance.back()));
    }
    c.witness.at = [=](double t) {
      const auto n = static_cast<std::size_t>(t / 1e-2 + 1e-6);
      const State ball = bouncing_ball(t, 0.9);
      return State{steps.at(n).u, steps.at(n).v, ball[0], ball[1], distance[n], largest[n]};
    };
    c.witness.tolerance = 1e-6;
    c.witness.events = ticks(1e-2, 1e-2, 5 + 1e-9);
    for (const double impact : impacts(5, 0.9)) c.witness.events->push_back(impact);
    std::sort(c.witness.events->begin(), c.witness.events->end());
    c.witness.event_tolerance = 1e-6;
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace mosim::golden
