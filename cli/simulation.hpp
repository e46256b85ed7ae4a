#pragma once
// The run of a model, and all that is written of it.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/plot/plot.hpp"
#include "cli/progress.hpp"
#include "mosim/session.hpp"
#include "report/report.hpp"

namespace mosim::cli {

/// Exit statuses. One that a signal ended has 128 plus its number; 141 is a reader of standard output that went away.
enum Status { done = 0, unusable = 1, invalid = 2, failed = 3, out_of_time = 124, unread = 141 };

/// Why the outputs that are named cannot be written, as far as one can see before anything is read; in one sentence.
std::optional<std::string> check_outputs(const Arguments& arguments);

/// Runs, writes and reports.
Status simulate(const Arguments& arguments, const std::shared_ptr<const Model>& model, report::Times times, Progress& progress, Streams& streams);

}  // namespace mosim::cli
