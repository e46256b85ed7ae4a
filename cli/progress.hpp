#pragma once
// The progress bar of long runs on a terminal.

#include <chrono>

namespace mosim::cli {

/// A bar with the simulated time on standard error, from a second of running on; nothing where that is no terminal.
class Progress {
 public:
  Progress(double start, double stop);
  void show(double time);
  /// Takes the bar away again.
  void clear();

 private:
  double start, stop;
  bool is_terminal, is_drawn = false;
  std::chrono::steady_clock::time_point next;
};

}  // namespace mosim::cli
