// DiscreteBehavior: models whose right side jumps or has kinks, but that have no discrete variables.

#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

Case of(const std::string& path, double stop, Witness witness, double tolerance = 1e-8) {
  Case c;
  c.name = path.substr(path.find('/') + 1);
  c.file = "DiscreteBehavior/" + path + ".mo";
  c.settings.stop = stop;
  c.settings.tolerance = tolerance;
  c.witness = std::move(witness);
  return c;
}

// Air at 298.15 K that gets colder by 20 K/s from 0.5 s on; the body starts at T0.
std::function<State(double)> cooling(double T0) {
  return [T0](double t) {
    const double a = 0.7 / 0.12, air = 298.15;
    const auto warm = [&](double s) { return air + (T0 - air) * std::exp(-a * s); };
    if (t <= 0.5) return State{warm(t), air};
    const double s = t - 0.5;
    return State{air - 20 * s + 20 / a + (warm(0.5) - air - 20 / a) * std::exp(-a * s), air - 20 * s};
  };
}

// Integral of a square wave that is 2 in the first half of every period and 0 in the second.
double area(double freq, double t) {
  const double periods = std::floor(t * freq), rest = t - periods / freq;
  return periods / freq + 2 * std::min(rest, 0.5 / freq);
}

void backlash(double, const State& x, State& dx) {
  const double d = x[1] - x[0], w = x[3] - x[2];
  const double over = std::max(std::fabs(d) - 0.25, 0.0);
  const double contact = d > 0 ? 1000 * over : -1000 * over;
  const double torque = contact + 11 * d + 0.2 * w;
  dx = {x[2], x[3], torque / 0.4, -torque - 5 * x[1] - x[3]};
}

}  // namespace

std::vector<Case> continuous_cases() {
  std::vector<Case> all;
  const std::vector<double> none, half{0.5};

  const std::string revisited = "CoolingRevisited/NewtonCooling";
  const std::vector<std::string> temperatures{"T", "T_inf"};
  all.push_back(of(revisited + "Dynamic", 1, {"closed form", temperatures, cooling(363.15), 1e-7, half, 0}));
  all.push_back(of(revisited + "SteadyThenDynamic", 1, {"closed form", temperatures, cooling(298.15), 1e-7, half, 0}));
  all.push_back(of(revisited + "IfExpression", 1, {"closed form", temperatures, cooling(298.15), 1e-7, half, 0}));
  all.push_back(of(revisited + "MaxFunction", 1, {"closed form", temperatures, cooling(298.15), 1e-6, none, 0}));

  const auto emptied = [](double t) { return State{std::pow(std::max(0.0, 1 - t / 2), 2)}; };
  all.push_back(of("Decay/Decay3", 5, {"closed form", {"x"}, emptied, 1e-4, none, 0}));
  const auto slide = [](double t) { return State{std::max(1.0, 2 - t)}; };
  const std::string sliding = "closed form: straight to 1, where both branches hold it";
  all.push_back(of("Decay/Decay4", 1.3, {sliding, {"x"}, slide, 1e-3, {}, 0}, 1e-6));
  all.back().witness.events.reset();
  all.push_back(of("Decay/Decay5", 3, {sliding, {"x"}, slide, 1e-3, {}, 0}, 1e-4));
  all.back().witness.events.reset();   // from where the steps shrink its jump is one
  all.push_back(of("Chatter/WithChatter", 1.2, {sliding, {"x"}, slide, 1e-3, {}, 0}, 1e-6));
  all.back().witness.events.reset();
  all.push_back(of("Chatter/WithoutChatter", 2, {sliding, {"x"}, slide, 1e-3, {}, 0}, 1e-4));
  all.back().witness.events.reset();

  for (const double freq : {1.0, 5.0}) {
    const auto mean = [freq](double t) { return State{area(freq, t), t}; };
    std::vector<double> edges;   // sin(0) > 0 does not hold, but right after it does
    for (int k = 0; k < 14 * freq; ++k) edges.push_back(k / (2 * freq));
    Case with = of("Accuracy/WithEvents", 7, {"closed form", {"x", "y"}, mean, 1e-6, edges, 1e-6});
    with.settings.set = {freq == 1 ? "freq=1" : "freq=5"};
    if (freq != 1) with.name += "5";
    all.push_back(std::move(with));
  }
  // Without events an edge lies somewhere in a step: at 14 edges, each in a step of at most 4 output intervals.
  const auto mean = [](double t) { return State{area(1, t), t}; };
  all.push_back(of("Accuracy/WithNoEvents", 7, {"closed form", {"x", "y"}, mean, 0.02, none, 0}));

  const auto switched = [](double t) {
    State s = t < 0.5 ? State{0, 0, 0, 0} : rlc(t - 0.5);
    s.push_back(t < 0.5 ? 0 : 24);
    return s;
  };
  all.push_back(of("SwitchedRLC/SwitchedRLC", 2,
                   {"closed form", {"V", "i_L", "i_R", "i_C", "Vs"}, switched, 1e-6, half, 0}));
  all.push_back(of("Backlash/Backlash", 2,
                   {"independent integration (Dormand-Prince at 1e-13)", {"phi1", "phi2", "omega1", "omega2"},
                    follow(backlash, {0, 0, 5, 0}), 1e-5, none, 0}, 1e-10));
  return all;
}

}  // namespace mosim::golden
