#include "cli/memory/large_objects.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mosim::cli {

namespace {

std::atomic<bool> is_compiling = false;
std::atomic<std::size_t> largest = 0;   // while compiling: a power of two; 0: none was very large

/// From so many bytes on memory comes from the system and goes back to it at once. Twice as much may lie free at the heap's end: with less there
/// (128 kB, once the other is set) malloc gives back what it has just got for a request, and finds nothing, where the heap could not grow before.
/// Small pieces are joined as they are freed, and not all of them again each time a large one is: a twentieth of compiling.
void set([[maybe_unused]] int bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, 2 * bytes);
  mallopt(M_MXFAST, 0);
#endif
}

}  // namespace

void LargeObjects::begin_compiling() {
  set(1 << 20);
  is_compiling = true;
}

void LargeObjects::begin_run() {
  is_compiling = false;
#ifdef __GLIBC__
  if (largest != 0) malloc_trim(0);
#endif
  set(1 << 25);
}

void LargeObjects::expect_more(std::size_t bytes) {
  constexpr std::size_t most = std::size_t(1) << 28;
  const std::size_t size = std::bit_floor(std::min(bytes, most));
  std::size_t before = largest;
  while (is_compiling && before < size)
    if (largest.compare_exchange_weak(before, size)) return set(static_cast<int>(size / 4));
}

}  // namespace mosim::cli
