#include "runtime/wide.hpp"

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

namespace mosim::runtime {

namespace {

Registers found() {
#ifdef CPU_FEATURE_ACTIVE   // from glibc 2.34 on
  if (CPU_FEATURE_ACTIVE(AVX512F)) return Registers::avx512;
  if (CPU_FEATURE_ACTIVE(AVX2)) return Registers::avx2;
  if (CPU_FEATURE_ACTIVE(AVX)) return Registers::avx;
#elif defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return Registers::avx512;
  if (__builtin_cpu_supports("avx2")) return Registers::avx2;
  if (__builtin_cpu_supports("avx")) return Registers::avx;
#endif
  return Registers::usual;
}

}  // namespace

const Registers registers = found();

}  // namespace mosim::runtime
