#include "compiler/stack.hpp"

#include <pthread.h>

#include <exception>

namespace mosim::compiler {

namespace {

constexpr std::size_t largest = std::size_t(1) << 30, smallest = std::size_t(1) << 24;
constexpr std::size_t reserve = std::size_t(1) << 20;   // for what is called without being counted

thread_local bool on_one = false;

struct Task {
  const std::function<void()>& run;
  std::exception_ptr thrown;
};

void* begin(void* given) {
  Task& task = *static_cast<Task*>(given);
  on_one = true;
  try {
    task.run();
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void on_large_stack(const std::function<void()>& run) {
  if (on_one) return run();
  Task task{run, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread{};
  bool started = false;
  for (std::size_t size = largest; size >= smallest && !started; size /= 4)
    started = pthread_attr_setstacksize(&attributes, size) == 0 && pthread_create(&thread, &attributes, begin, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return run();
  pthread_join(thread, nullptr);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

#ifdef __EMSCRIPTEN__
extern "C" char __data_end;   // the linker's: the one stack lies above the data
Stack::Stack() : low_(&__data_end) {}
#else
Stack::Stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) low_ = static_cast<const char*>(low);
  pthread_attr_destroy(&attributes);
}
#endif

bool Stack::has_room() const {
  const char* const here = static_cast<const char*>(__builtin_frame_address(0));
  return !low_ || std::size_t(here - low_) > reserve;
}

}  // namespace mosim::compiler
