#pragma once
// The progress bar of long runs on a terminal.

#include <functional>

namespace mosim::cli {

/// Where standard error is a terminal: a function that draws a bar with the simulated time there, from a second of
/// running on. Elsewhere an empty function.
std::function<void(double)> make_progress(double start, double stop);

/// Takes the bar away again.
void end_progress();

}  // namespace mosim::cli
