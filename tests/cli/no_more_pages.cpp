// The command's operator new where the system has no more pages, and the heap still has room (cli/memory): what malloc gives then becomes a piece
// like all others, and must be as large as one. A program of its own: it replaces operator new, and takes its own memory away.

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <vector>

#include "cli/memory/small_objects.hpp"

namespace {

bool is_piece(const void* memory) { return mosim::cli::SmallObjects::size_of(memory) != 0; }

int fail(const char* what) {
  std::printf("%s\n", what);
  return 1;
}

}  // namespace

int main() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  std::free(std::malloc(16 << 20));   // the heap keeps it
  const rlimit none{1, 1};
  if (setrlimit(RLIMIT_AS, &none) != 0) return fail("no limit can be set");
  for (int k = 0; is_piece(operator new(256)); ++k)
    if (k > 10'000) return fail("the system has more pages");

  for (const std::size_t bytes : {std::size_t(1), std::size_t(17), std::size_t(24), std::size_t(40), std::size_t(504), std::size_t(512)}) {
    const std::size_t whole = mosim::cli::SmallObjects::size_for(bytes);
    std::vector<void*> made(20'000 / (1 + whole / 64));
    std::size_t outside = 0;
    for (void*& one : made) {
      one = operator new(bytes);
      if (is_piece(one)) continue;
      ++outside;
      if (malloc_usable_size(one) < whole) return fail("malloc gave less than a piece");
    }
    if (outside == 0) return fail("the system had more pages");
    for (void* one : made) operator delete(one, bytes);
    // As a larger object of the same class they are used to the end.
    for (void*& one : made) std::memset(one = operator new(whole), 0xFF, whole);
    for (void* one : made) operator delete(one);   // of malloc's, and of the lists': each goes where it came from
  }
  std::printf("all pieces are as large as they should be\n");
  return 0;
}
