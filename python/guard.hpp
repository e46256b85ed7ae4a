#pragma once
// A stretch of a run, as Python sees it: without the interpreter's lock, ended by Ctrl-C, with exceptions of callbacks kept until C++ is left.

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <optional>

#include <signal.h>

namespace mosim::python {

namespace nb = nanobind;

/// What ends a run from Python's side. Lives as long as the run.
class Ending {
public:
  const std::atomic<bool>* cancel() const { return &cancel_; }
  /// Calls a function with the interpreter's lock. What it throws ends the run, and is thrown when C++ is left.
  template <class F> void call(F function) {
    nb::gil_scoped_acquire lock;
    try {
      function();
    } catch (nb::python_error& error) {
      keep(std::move(error));
    }
  }
  /// Signals whose handlers are Python's, now and then.
  void look();
  /// With the interpreter's lock.
  void rethrow();

private:
  friend class Stretch;
  void keep(nb::python_error&& error) {
    if (!error_) error_.emplace(std::move(error));
    cancel_ = true;
  }
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> cancel_{false};
  std::optional<nb::python_error> error_;
  Clock::time_point next_{};
};

/// Runs C++ without the interpreter's lock. In the main thread, where Ctrl-C would raise KeyboardInterrupt, it ends the run instead, at once:
/// the rows so far are the answer.
class Stretch {
public:
  explicit Stretch(Ending& ending);
  ~Stretch();
  Stretch(const Stretch&) = delete;

private:
  std::optional<struct sigaction> before_;
  std::optional<nb::gil_scoped_release> unlocked_;
};

}  // namespace mosim::python
