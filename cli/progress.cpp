#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace mosim::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto quiet_time = std::chrono::seconds(1);
constexpr auto between = std::chrono::milliseconds(100);
constexpr int width = 40;

}  // namespace

Progress::Progress(double from, double to)
    : start(from), stop(to), is_terminal(isatty(STDERR_FILENO)), next(Clock::now() + quiet_time) {}

void Progress::show(double time) {
  if (!is_terminal) return;
  const auto now = Clock::now();
  if (now < next) return;
  next = now + between;
  is_drawn = true;
  const double part = stop > start ? std::clamp((time - start) / (stop - start), 0.0, 1.0) : 1;
  const int full = int(part * width);
  std::fputs(fmt::format("\r[{}{}] {:3.0f} %  time = {:.4g} of {:.4g} s \x1b[K", std::string(std::size_t(full), '#'),
                         std::string(std::size_t(width - full), '.'), 100 * part, time, stop).c_str(), stderr);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!is_drawn) return;
  is_drawn = false;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace mosim::cli
