#pragma once
// What there is to say of a run.

#include <optional>
#include <string>

#include "runtime/simulate.hpp"

namespace mosim::report {

/// Seconds that the parts took.
struct Times {
  double read = 0, compile = 0, run = 0;
};

/// The report: model, interval, sizes, steps, events, what was assumed, what piled up, how long that took if it is known, where the results
/// are. In lines of at most so many columns; 0: no limit.
std::string report(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                   const std::optional<Times>& times, const std::string& output, std::size_t columns);

}  // namespace mosim::report
