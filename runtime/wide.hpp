#pragma once
// Loops over vectors, for every processor in its widest registers. The results are the same bits on all of them: no sum of products is
// fused, and what is added up is added in one order.

#include <cstdint>

// Not with sanitizers, whose checks are in each copy; clang has another way.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define MOSIM_HAS_WIDE
#endif

namespace mosim::runtime {

/// What this processor has, as the C library found it when it was loaded: to ask it once more costs what a hundred steps of a small model do
/// where a virtual machine answers.
enum class Registers : std::uint8_t { usual, avx, avx2, avx512 };
extern const Registers registers;

#ifdef MOSIM_HAS_WIDE
template <class Loop> [[gnu::target("avx2")]] auto with_avx2(const Loop& loop) { return loop(); }
template <class Loop> [[gnu::target("avx512f")]] auto with_avx512(const Loop& loop) { return loop(); }
#define MOSIM_WIDE __attribute__((always_inline))   // of a loop that widest() runs: compiled into a copy for each kind of registers
#else
#define MOSIM_WIDE
#endif

// Before a loop whose iterations write what none of them reads, where the compiler cannot see it.
#if defined(__GNUC__) && !defined(__clang__)
#define MOSIM_DISJOINT _Pragma("GCC ivdep")
#else
#define MOSIM_DISJOINT
#endif

/// The result of a loop, [&]() MOSIM_WIDE { ... }.
template <class Loop> inline auto widest(const Loop& loop) {
#ifdef MOSIM_HAS_WIDE
  if (registers == Registers::avx512) return with_avx512(loop);
  if (registers == Registers::avx2) return with_avx2(loop);
#endif
  return loop();
}

}  // namespace mosim::runtime
