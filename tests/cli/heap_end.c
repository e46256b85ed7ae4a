/* Loaded before a program: its heap ends HEAP_END bytes behind where it begins, as where something else has come to lie there. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((constructor)) static void end_heap(void) {
  const char* const bytes = getenv("HEAP_END");
  if (!bytes) return;
  const uintptr_t end = ((uintptr_t)sbrk(0) + strtoul(bytes, 0, 10)) / 4096 * 4096;
  mmap((void*)end, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}
