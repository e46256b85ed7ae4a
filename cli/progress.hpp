#pragma once
// The line on a terminal that says what goes on.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace mosim::cli {

/// Once something takes longer than a second, a line on standard error that tells what it is, and in a run a bar with the simulated
/// time; nothing where that is no terminal. A thread of its own draws it, however long a single step takes.
class Progress {
 public:
  explicit Progress(bool is_terminal);
  ~Progress();
  Progress(const Progress&) = delete;

  /// What is being done from now on: "compiling".
  void begin(const std::string& what);
  /// A run has begun.
  void begin_run(double start, double stop);
  /// Many runs have begun; show() tells how many are done.
  void begin_runs(std::uint64_t runs);
  /// The run has come to this time.
  void show(double time) { time_.store(time, std::memory_order_relaxed); }
  /// Takes the line away, so that something can be printed; it comes again after a second.
  void clear();
  /// Takes the line away for good.
  void end();

 private:
  void draw();

  const bool is_terminal_;
  std::mutex guard_;                 // of what follows, but for the time
  std::condition_variable wake_;
  std::thread thread_;
  std::string what_;
  double start_ = 0, stop_ = 0;
  bool is_run_ = false, is_count_ = false, is_drawn_ = false, is_over_ = false;
  std::chrono::steady_clock::time_point begin_, next_;
  std::atomic<double> time_ = 0;
};

/// The line: a bar with the part done, and the times.
std::string progress_bar(double start, double stop, double time);
/// The same of runs.
std::string progress_bar(std::uint64_t runs, std::uint64_t done);

}  // namespace mosim::cli
