#pragma once
// One self-contained HTML page: trajectories, event log and source.

#include <string>
#include <vector>

#include "report/choice.hpp"
#include "report/kept.hpp"

namespace mosim::report {

/// A text that the model was read from, under the path that the program's origins name.
struct SourceText {
  std::string path, text;
};

/// What the page may weigh. What does not fit is left out, and the page says so.
struct PageLimits {
  std::size_t rows = 50'000, numbers = 1'500'000, variables = 4'000;
  std::size_t log_bytes = 8'000'000;
};

/// The page. It holds everything it needs (script, style, data, the event log of docs/event-log.md) and loads nothing. Of
/// `sources` those appear that the program refers to.
std::string page(const Recording& run, const std::vector<SourceText>& sources, const Choice& shown, const PageLimits& limits = {});

}  // namespace mosim::report
