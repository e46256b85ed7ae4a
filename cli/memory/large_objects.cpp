#include "cli/memory/large_objects.hpp"

#include <atomic>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mosim::cli {

namespace {

enum class Stage { other, compiling, compiling_much };
std::atomic<Stage> stage = Stage::other;

}  // namespace

/// From so many bytes on memory comes from the system and goes back to it at once. Twice as much may lie free at the heap's end: with less there
/// (128 kB, once the other is set) malloc gives back what it has just got for a request, and finds nothing, where the heap could not grow before.
/// Small pieces are joined as they are freed, and not all of them again each time a large one is: a twentieth of compiling.
void LargeObjects::set([[maybe_unused]] int bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, 2 * bytes);
  mallopt(M_MXFAST, 0);
#endif
}

void LargeObjects::begin_compiling() {
  set(1 << 20);
  stage = Stage::compiling;
}

void LargeObjects::begin_run() {
#ifdef __GLIBC__
  if (stage.exchange(Stage::other) == Stage::compiling_much) malloc_trim(0);
#endif
  set(1 << 25);
}

void LargeObjects::expect_more() {
  Stage expected = Stage::compiling;
  if (stage.compare_exchange_strong(expected, Stage::compiling_much)) set(1 << 26);
}

}  // namespace mosim::cli
