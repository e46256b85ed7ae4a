#pragma once
// The event log as text, to be read from top to bottom.

#include <cstddef>
#include <functional>
#include <string_view>

#include "report/event_spool.hpp"
#include "runtime/simulate.hpp"

namespace mosim::report {

/// How a terminal shows the log.
struct LogPage {
  std::size_t lines = 60;      // when there are more, the middle is left out and said to be
  std::size_t columns = 80;    // longer lines go on in the next one
};

/// Where the text goes, piece by piece.
using Write = std::function<void(std::string_view)>;

/// The whole log, each event in full.
void write_event_text(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                      const Events& events, const Write& write);

/// As a person at a terminal reads it: an event with the causes and effects of an earlier one has a line that names that one and
/// tells the new values, and events in a row that change nothing are one line.
void write_event_text(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                      const Events& events, const LogPage& page, const Write& write);

}  // namespace mosim::report
