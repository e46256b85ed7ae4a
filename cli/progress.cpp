#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace mosim::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto quiet_time = std::chrono::milliseconds(900);
constexpr auto between = std::chrono::milliseconds(100);
constexpr int width = 40;

void write(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// With the part done, in percent.
std::string bar(double part) {
  const int full = int(part * width);
  // Little as it may be, it is said.
  const std::string percent = part > 0 && part < 0.001 ? fmt::format("{:.1g}", 100 * part) : fmt::format("{:3.1f}", 100 * part);
  return fmt::format("[{}{}] {} %", std::string(std::size_t(full), '#'), std::string(std::size_t(width - full), '.'), percent);
}

}  // namespace

std::string progress_bar(double start, double stop, double time) {
  return fmt::format("{}  time = {:.6g} of {:.6g} s ", bar(stop > start ? std::clamp((time - start) / (stop - start), 0.0, 1.0) : 1), time, stop);
}

std::string progress_bar(std::uint64_t runs, std::uint64_t done) {
  return fmt::format("{}  {} of {} runs ", bar(double(done) / double(std::max<std::uint64_t>(runs, 1))), done, runs);
}

Progress::Progress(bool is_terminal) : is_terminal_(is_terminal) {}

Progress::~Progress() { end(); }

void Progress::begin(const std::string& what) {
  if (!is_terminal_) return;
  const std::lock_guard lock(guard_);
  what_ = what;
  is_run_ = is_count_ = is_over_ = false;
  begin_ = Clock::now();
  if (!thread_.joinable()) {
    next_ = begin_ + quiet_time;
    thread_ = std::thread([this] { draw(); });
  }
}

void Progress::begin_run(double start, double stop) {
  show(start);
  begin("initialising");
  if (!is_terminal_) return;
  const std::lock_guard lock(guard_);
  start_ = start;
  stop_ = stop;
  is_run_ = true;
}

void Progress::begin_runs(std::uint64_t runs) {
  begin_run(0, double(runs));
  if (!is_terminal_) return;
  const std::lock_guard lock(guard_);
  is_count_ = true;
}

void Progress::clear() {
  if (!is_terminal_) return;
  const std::lock_guard lock(guard_);
  if (is_drawn_) write("\r\x1b[K");
  is_drawn_ = false;
  next_ = Clock::now() + quiet_time;
}

void Progress::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(guard_);
    is_over_ = true;
  }
  wake_.notify_one();
  thread_.join();
  clear();
}

void Progress::draw() {
  std::unique_lock lock(guard_);
  while (!is_over_) {
    if (Clock::now() < next_) {
      wake_.wait_until(lock, next_);
      continue;
    }
    const double time = time_.load(std::memory_order_relaxed);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
    const std::string line = is_count_ ? progress_bar(std::uint64_t(stop_), std::uint64_t(time))
                             : is_run_ && time > start_ ? progress_bar(start_, stop_, time)
                             : fmt::format("{} ... {} s ", what_, seconds);
    write(fmt::format("\r{}\x1b[K", line));
    is_drawn_ = true;
    next_ = Clock::now() + between;
  }
}

}  // namespace mosim::cli
