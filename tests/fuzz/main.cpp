// The fuzzer of whole models. README.md says how it is used.

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>

#include "tests/fuzz/corpus.hpp"
#include "tests/fuzz/examine.hpp"
#include "tests/fuzz/mutate.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

// Of sanitizer/allocator_interface.h, which not every compiler brings.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t), void (*)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void*);

// One allocation beyond a gigabyte is a finding, and so is what a sanitizer sees; both end the process with a report.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:max_allocation_size_mb=1000:allocator_may_return_null=0:detect_stack_use_after_return=0:handle_segv=1:symbolize=1:abort_on_error=0:exitcode=77";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
#endif

namespace {

using namespace mosim::fuzz;

enum Exit { exit_memory = 78, exit_time = 79, exit_wrong = 80 };

struct Arguments {
  std::vector<std::string> folders;
  std::uint64_t seed = 1, first = 0, count = 1000, batch = 200;
  unsigned patience = 5, seconds = 60, megabytes = 1500;
  std::string save, file;
};

// Shared with the child that works on a batch.
struct Progress {
  volatile std::uint64_t number;   // of the input in work
  volatile Stage stage;
  std::uint64_t reached[8];   // inputs that ended in each stage
  std::uint64_t interrupted;  // whose run was ended for its length
  std::size_t size;           // of the text in work
  char text[std::size_t(1) << 18];
};

void tell_stack() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_print_stack_trace();
#endif
}

// Of processor time, of this process alone: other work on the machine does not count.
void begin_time(unsigned seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

std::atomic<bool> interrupt = false;
static_assert(std::atomic<bool>::is_always_lock_free);   // set by a signal
unsigned seconds_after_interrupt = 0;

// First the run is asked to end; what does not is a finding.
void on_time(int) {
  if (!interrupt.exchange(true)) return begin_time(seconds_after_interrupt);
  std::fputs("too long\n", stderr);
  tell_stack();
  _exit(exit_time);
}

#if defined(__SANITIZE_ADDRESS__)
std::size_t memory_limit = 0;
std::atomic<std::size_t> memory_used = 0;
void on_malloc(const volatile void*, std::size_t size) {
  if (memory_limit == 0 || (memory_used += size) <= memory_limit) return;
  memory_limit = 0;
  std::fputs("too much memory\n", stderr);
  tell_stack();
  _exit(exit_memory);
}
void on_free(const volatile void* block) {
  if (block && memory_limit) memory_used -= std::min<std::size_t>(memory_used, __sanitizer_get_allocated_size(block));
}
#endif

void limit_memory(unsigned megabytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  memory_limit = std::size_t(megabytes) << 20;
#else
  const rlimit limit{rlim_t(megabytes + 2000) << 20, RLIM_INFINITY};   // with room for the stack
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void begin_input(const Arguments& a) {
  std::signal(SIGPROF, on_time);
  interrupt = false;
  seconds_after_interrupt = std::max(1u, a.seconds - std::min(a.seconds, a.patience));
  begin_time(std::max(1u, std::min(a.patience, a.seconds)));
}

[[noreturn]] void work(const Arguments& a, const std::vector<Seed>& corpus, Progress& progress, std::uint64_t from, std::uint64_t to) {
  limit_memory(a.megabytes);
  for (std::uint64_t k = from; k < to; ++k) {
    progress.number = k;
    progress.stage = Stage::parse;
    Random random = random_of(a.seed, k);
    const auto show = [&](const std::string& text) {
      progress.size = std::min(text.size(), sizeof progress.text);
      std::memcpy(progress.text, text.data(), progress.size);
      begin_input(a);
    };
    const std::string text = make_input(corpus, random, [&](const std::string& candidate) {
      show(candidate);
      return worth_of(candidate);
    });
    show(text);
    const auto finding = examine(text, progress.stage, interrupt);
    begin_time(0);
    if (finding) {
      std::fprintf(stderr, "%s\n", finding->c_str());
      _exit(exit_wrong);
    }
    ++progress.reached[static_cast<int>(progress.stage)];
    progress.interrupted += interrupt;
  }
  _exit(0);
}

std::string reason_of(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal-{}", WTERMSIG(status));
  switch (WEXITSTATUS(status)) {
    case exit_memory: return "memory";
    case exit_time: return "time";
    case exit_wrong: return "wrong";
    case 77: return "sanitizer";
    default: return fmt::format("status-{}", WEXITSTATUS(status));
  }
}

// Runs one file as the child does with an input.
int run_file(const Arguments& a) {
  std::ifstream in(a.file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  limit_memory(a.megabytes);
  begin_input(a);
  volatile Stage stage = Stage::parse;
  const auto finding = examine(text, stage, interrupt);
  fmt::print("{}: {}\n", name_of(stage), finding.value_or("nothing found"));
  return finding ? 1 : 0;
}

int run(const Arguments& a) {
  if (!a.file.empty()) return run_file(a);
  const std::vector<Seed> corpus = read_corpus(a.folders);
  if (corpus.empty()) {
    fmt::print(stderr, "there are no models in these folders\n");
    return 1;
  }
  void* const shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Progress& progress = *new (shared) Progress{};
  if (!a.save.empty()) std::filesystem::create_directories(a.save);
  std::uint64_t findings = 0;
  const std::uint64_t end = a.first + a.count;
  for (std::uint64_t from = a.first; from < end;) {
    const std::uint64_t to = std::min(end, from + a.batch);
    const std::string log = a.save.empty() ? std::string("/dev/null") : (std::filesystem::path(a.save) / "last.log").string();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen(log.c_str(), "w", stderr) == nullptr) _exit(1);
      std::setvbuf(stderr, nullptr, _IONBF, 0);
      work(a, corpus, progress, from, to);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
      fmt::print(stderr, "no process could be started\n");
      return 1;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      from = to;
      continue;
    }
    ++findings;
    const std::uint64_t number = progress.number;
    fmt::print("seed {} input {}: {} in {}\n", a.seed, number, reason_of(status), name_of(progress.stage));
    std::fflush(stdout);
    if (!a.save.empty()) {
      const std::filesystem::path base = std::filesystem::path(a.save) / fmt::format("{}-{}-{}", reason_of(status), a.seed, number);
      std::ofstream(base.string() + ".mo", std::ios::binary) << std::string_view(progress.text, progress.size);
      std::error_code error;
      std::filesystem::rename(log, base.string() + ".log", error);
    }
    from = number + 1;
  }
  fmt::print("{} models in the corpus; {} inputs of seed {}, from {}; they ended in:", corpus.size(), a.count, a.seed, a.first);
  for (int k = 0; k <= static_cast<int>(Stage::done); ++k) fmt::print(" {} {}", name_of(static_cast<Stage>(k)), progress.reached[k]);
  fmt::print("\n{} took so long that they were interrupted\n{} found\n", progress.interrupted, findings);
  return findings ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  CLI::App app{"Mutates the models of some folders and runs what comes out through all stages"};
  app.add_option("folders", a.folders, "with .mo files, and .cpp files that hold models");
  app.add_option("--seed", a.seed, "of the random numbers");
  app.add_option("--first", a.first, "number of the first input");
  app.add_option("--count", a.count, "so many inputs");
  app.add_option("--batch", a.batch, "so many in one process");
  app.add_option("--patience", a.patience, "seconds of processor time, after which a run is asked to end");
  app.add_option("--seconds", a.seconds, "of processor time that one input may take");
  app.add_option("--megabytes", a.megabytes, "that one input may take");
  app.add_option("--save", a.save, "folder for what is found: the input and what was said");
  app.add_option("--file", a.file, "examine this file instead");
  CLI11_PARSE(app, argc, argv);
  return run(a);
}
