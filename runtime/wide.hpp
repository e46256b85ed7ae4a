#pragma once
// MOSIM_WIDE: a loop over vectors, for every processor in its widest registers. The results are the same bits on all of them: no sum of products is
// fused, and what is added up is added in one order.

// Copies of a function for the processors that come after the oldest one, chosen between as the program is loaded.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define MOSIM_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define MOSIM_WIDE
#endif
