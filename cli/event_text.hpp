#pragma once
// The event log as text, to be read from top to bottom.

#include <cstddef>
#include <string>

#include "runtime/simulate.hpp"

namespace mosim::cli {

/// How a terminal shows the log.
struct LogPage {
  std::size_t lines = 60;      // when there are more, the middle is left out and said to be
  std::size_t columns = 80;    // longer lines go on in the next one
};

/// The whole log, each event in full.
std::string event_text(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result);

/// As a person at a terminal reads it: an event with the causes and effects of an earlier one has a line that names that one and
/// tells the new values, and events in a row that change nothing are one line.
std::string event_text(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                       const LogPage& page);

}  // namespace mosim::cli
