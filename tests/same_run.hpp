#pragma once
// Whether two runs are one, bit by bit.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "runtime/simulate.hpp"

namespace mosim::tests {

/// The sign of what is no number is nobody's business.
inline bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same_bits(x, y); });
}

/// Rows, instants of events, what was said, and the steps and evaluations that it took.
inline bool same_run(const runtime::Result& a, const runtime::Result& b) {
  const auto said = [](const runtime::Message& x, const runtime::Message& y) { return x.cause == y.cause && x.remedy == y.remedy; };
  const auto event = [](const runtime::EventRecord& x, const runtime::EventRecord& y) { return same_bits(x.time, y.time) && x.kind == y.kind && x.rounds == y.rounds; };
  const runtime::Statistics &s = a.statistics, &t = b.statistics;
  return a.ending == b.ending && same_bits(a.time, b.time) && same_bits(a.trajectory.values, b.trajectory.values) &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), event) &&
         std::equal(a.messages.begin(), a.messages.end(), b.messages.begin(), b.messages.end(), said) && s.steps == t.steps && s.evaluations == t.evaluations &&
         s.jacobians == t.jacobians && s.newton_iterations == t.newton_iterations && s.steps_by == t.steps_by;
}

}  // namespace mosim::tests
