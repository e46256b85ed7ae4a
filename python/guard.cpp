#include "guard.hpp"

namespace mosim::python {

namespace {

constexpr std::chrono::milliseconds between_looks{50};

// A handler knows nothing but what is global. One thread alone, the main one, sets it.
std::atomic<std::atomic<bool>*> asked{nullptr};
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free);

extern "C" void end_run(int) {
  if (std::atomic<bool>* cancel = asked) *cancel = true;
}

bool raises_keyboard_interrupt() {
  const nb::object threading = nb::module_::import_("threading"), signals = nb::module_::import_("signal");
  if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return false;
  return signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

}  // namespace

void Ending::look() {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + between_looks;
  call([] {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
  });
}

void Ending::rethrow() {
  if (!error_) return;
  nb::python_error error = std::move(*error_);
  error_.reset();
  throw std::move(error);
}

Stretch::Stretch(Ending& ending) {
  if (raises_keyboard_interrupt() && !asked) {
    asked = &ending.cancel_;
    struct sigaction action {};
    action.sa_handler = end_run;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, &before_.emplace());
  }
  unlocked_.emplace();
}

Stretch::~Stretch() {
  unlocked_.reset();
  if (!before_) return;
  ::sigaction(SIGINT, &*before_, nullptr);
  asked = nullptr;
}

}  // namespace mosim::python
