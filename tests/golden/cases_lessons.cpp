// Lessons.

#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {

std::vector<Case> lesson_cases() {
  std::vector<Case> all;
  {
    // Full at 1.25 s and then every 2.5 s; a tenth of a metre takes a quarter of a second.
    Case c;
    c.name = "Siphon";
    c.file = "Lessons/Siphon.mo";
    c.settings = {.start = 0, .stop = 9, .tolerance = 1e-8};
    const auto flushes = [](double t) { return std::floor((t + 1.25) / 2.5); };
    c.witness.by = "closed form";
    c.witness.variables = {"level", "fullest", "flushes"};
    c.witness.at = [=](double t) { return State{0.5 + 0.4 * t - flushes(t), std::min(flushes(t), 1.0), flushes(t)}; };
    c.witness.tolerance = 1e-6;
    c.witness.events.emplace();
    for (const double full : {1.25, 3.75, 6.25, 8.75}) {
      c.witness.events->push_back(full);
      if (full + 0.25 < 9) c.witness.events->push_back(full + 0.25);
    }
    c.witness.event_tolerance = 1e-6;
    all.push_back(std::move(c));
  }
  {
    Case c;
    c.name = "Readings";
    c.file = "Lessons/Readings.mo";
    c.settings = {.start = 0, .stop = 1.4, .tolerance = 1e-8};
    const auto x = [](double t) { return 1.1 * std::exp(-t); };
    c.witness.by = "closed form";
    c.witness.variables = {"x", "held", "quarters"};
    c.witness.at = [=](double t) { return State{x(t), x(std::floor(2 * t) / 2), std::floor(4 * x(t))}; };
    c.witness.tolerance = 1e-6;
    c.witness.events = std::vector<double>{std::log(1.1), std::log(4.4 / 3), 0.5, std::log(2.2), 1};
    c.witness.event_tolerance = 1e-6;
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace mosim::golden
