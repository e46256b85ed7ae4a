#pragma once
// The options of a run as Python gives them.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mosim/session.hpp"

namespace mosim::python {

inline Options options_of(std::optional<double> start, std::optional<double> stop, std::optional<double> tolerance, std::optional<std::uint32_t> intervals, std::optional<double> interval,
                          const std::string& solver, std::optional<double> hysteresis, std::optional<std::uint64_t> maximum_events, std::vector<std::pair<std::string, double>> set) {
  if (!solver_of(solver)) throw std::invalid_argument("the solver is \"bdf\", \"adams\", \"esdirk\", \"erk\" or \"auto\", not \"" + solver + "\"");
  Options o;
  o.start = start;
  o.stop = stop;
  o.tolerance = tolerance;
  o.intervals = intervals;
  o.interval = interval;
  o.solver = *solver_of(solver);
  o.hysteresis = hysteresis;
  o.maximum_events = maximum_events;
  o.set = std::move(set);
  return o;
}

}  // namespace mosim::python
