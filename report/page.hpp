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

/// What the page shows: the run with its event log (docs/event-log.md) as a text of JSON that can stand in a script element; and columns of numbers, time first.
/// Of a long log the first events are there; `events` of the run has how many of each kind there were.
struct PageContent {
  std::string run;
  std::vector<std::vector<double>> columns;
};
/// Of `sources` those appear that the program refers to.
PageContent page_content(const Recording& run, const std::vector<SourceText>& sources, const Choice& shown, const PageLimits& limits = {});

/// The page. It holds everything it needs (script, style, content) and loads nothing.
std::string page(const std::string& title, const PageContent& content);

}  // namespace mosim::report
