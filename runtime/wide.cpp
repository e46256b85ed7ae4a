#include "runtime/wide.hpp"

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#define MOSIM_ASKS_LIBRARY
#include <sys/platform/x86.h>
#endif

namespace mosim::runtime {

namespace {

Registers found() {
#ifdef MOSIM_ASKS_LIBRARY
  if (CPU_FEATURE_ACTIVE(AVX512F)) return Registers::avx512;
  if (CPU_FEATURE_ACTIVE(AVX2)) return Registers::avx2;
  if (CPU_FEATURE_ACTIVE(AVX)) return Registers::avx;
#elif defined(__x86_64__)
  if (__builtin_cpu_supports("avx")) return Registers::avx;
#endif
  return Registers::usual;
}

}  // namespace

const Registers registers = found();

}  // namespace mosim::runtime
