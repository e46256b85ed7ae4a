#include "compiler/stack.hpp"

#include <pthread.h>

#include <exception>

// Sanitizers know the stacks of threads alone; other C libraries than glibc have no contexts.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MOSIM_SWITCHES_STACKS
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef MOSIM_SWITCHES_STACKS
#endif
#endif
#endif
#ifdef MOSIM_SWITCHES_STACKS
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#endif

namespace mosim::compiler {

namespace {

constexpr std::size_t largest = std::size_t(1) << 30, smallest = std::size_t(1) << 24;
constexpr std::size_t reserve = std::size_t(1) << 20;   // for what is called without being counted

thread_local bool on_one = false;
[[maybe_unused]] thread_local const char* switched_to = nullptr;   // the last byte of the stack that this thread has changed to

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

#ifdef MOSIM_SWITCHES_STACKS
class OtherStack {
public:
  OtherStack() {
    rlimit room{};   // of addresses: the compiler's memory has to have some, too
    const bool limited = getrlimit(RLIMIT_AS, &room) == 0 && room.rlim_cur != RLIM_INFINITY;
    for (size_ = largest; size_ >= smallest; size_ /= 4) {
      if (limited && size_ > room.rlim_cur / 4 && size_ / 4 >= smallest) continue;
      memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
      if (memory_ != MAP_FAILED) break;
    }
    if (memory_ == MAP_FAILED) return;
    mprotect(memory_, guard, PROT_NONE);
    madvise(memory_, size_, MADV_NOHUGEPAGE);   // most compilations touch some kilobytes, and where huge pages are the rule would clear two megabytes
  }
  OtherStack(const OtherStack&) = delete;
  OtherStack& operator=(const OtherStack&) = delete;
  ~OtherStack() {
    if (memory_ != MAP_FAILED) munmap(memory_, size_);
  }
  /// False: there is none.
  bool run(Task& task) {
    static thread_local Task* given;   // a context is begun with integers alone
    ucontext_t here, there;
    if (memory_ == MAP_FAILED || getcontext(&there) != 0) return false;
    there.uc_stack.ss_sp = static_cast<char*>(memory_) + guard;
    there.uc_stack.ss_size = size_ - guard;
    there.uc_link = &here;
    given = &task;
    makecontext(&there, [] { begin(given); }, 0);
    switched_to = static_cast<const char*>(there.uc_stack.ss_sp);
    const bool switched = swapcontext(&here, &there) == 0;
    switched_to = nullptr;
    on_one = false;
    return switched;
  }

private:
  static constexpr std::size_t guard = std::size_t(1) << 16;   // bytes that end the process if touched
  void* memory_ = MAP_FAILED;
  std::size_t size_ = 0;
};
#endif

}  // namespace

void on_large_stack(const std::function<void()>& run, [[maybe_unused]] StackIn place) {
  if (on_one) return run();
  Task task{run, {}};
#ifdef MOSIM_SWITCHES_STACKS
  if (place == StackIn::this_thread && OtherStack().run(task)) {
    if (task.thrown) std::rethrow_exception(task.thrown);
    return;
  }
#endif
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
Stack::Stack() : low_(switched_to) {
  if (low_) return;
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
