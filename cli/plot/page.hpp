#pragma once
// One self-contained HTML page: trajectories, event log and source.

#include <string>
#include <vector>

#include "cli/plot/choice.hpp"
#include "cli/plot/plot.hpp"

namespace mosim::cli {

/// What the page may weigh. What does not fit is left out, and the page says so.
struct PageLimits {
  std::size_t rows = 50'000, numbers = 1'500'000, variables = 4'000;
  std::size_t log_bytes = 8'000'000;
};

/// The page. It holds everything it needs (script, style, data, the event log of docs/event-log.md) and loads nothing. Of
/// `sources` those appear that the program refers to.
std::string page(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                 const std::vector<SourceText>& sources, const Choice& shown, const PageLimits& limits = {});

/// The rows that stay when `most` are wanted (it may become a few more): the first and last one; pairs at one time, which are
/// jumps, as far as they fit; and from equal stretches of time the first row, the last, and the extremes of the given columns.
std::vector<std::size_t> kept_rows(const runtime::Trajectory& trajectory, const std::vector<std::size_t>& columns, std::size_t most);

}  // namespace mosim::cli
