#include "cli/interrupt.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>

#include <sys/time.h>

namespace mosim::cli {

namespace {

// A handler knows nothing but what is global.
std::atomic<bool> is_asked = false;
std::atomic<int> first_signal = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP};

extern "C" void note_signal(int number) {
  int first = 0;
  const bool is_first = first_signal.compare_exchange_strong(first, number);
  if (!is_first && number != SIGALRM && first != SIGALRM) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  is_asked = true;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction old {};
  ::sigaction(number, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(number, &action, nullptr);
}

void set_timer(double seconds) {
  constexpr double longest = 1e9;   // decades; more than a timer can hold would be no time
  seconds = std::min(seconds, longest);
  itimerval timer{};
  timer.it_value.tv_sec = time_t(seconds);
  timer.it_value.tv_usec = suseconds_t((seconds - std::floor(seconds)) * 1e6);
  if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

Interrupt::Interrupt(std::optional<double> time_limit) {
  is_asked = false;
  first_signal = 0;
  for (const int number : ending) handle(number, note_signal);
  if (!time_limit) return;
  handle(SIGALRM, note_signal);
  set_timer(*time_limit);
}

Interrupt::~Interrupt() {
  set_timer(0);
  for (const int number : ending) handle(number, SIG_DFL);
}

const std::atomic<bool>* Interrupt::flag() const { return &is_asked; }

int Interrupt::signal() const { return first_signal; }

}  // namespace mosim::cli
