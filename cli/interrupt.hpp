#pragma once
// What ends a run from outside: signals, and a limit of time.

#include <atomic>
#include <optional>

namespace mosim::cli {

/// While there is one (and there can be one only), the first SIGINT, SIGTERM or SIGHUP is noted, and the next one ends the process. What
/// the process has been told to ignore, it goes on to ignore.
class Interrupt {
 public:
  /// time_limit: seconds from now on, > 0.
  explicit Interrupt(std::optional<double> time_limit);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;

  /// Becomes true when the run is to end.
  const std::atomic<bool>* flag() const;
  /// The signal that came first; SIGALRM for the limit of time; 0: none.
  int signal() const;
};

}  // namespace mosim::cli
