// The command's operator new: small objects from lists of their own, others from malloc. A part of the program and not of its library: nobody who
// embeds the engine has it.

#include <cstdlib>
#include <new>

#include "cli/memory/large_objects.hpp"
#include "cli/memory/small_objects.hpp"

using mosim::cli::LargeObjects;
using mosim::cli::SmallObjects;

void* operator new(std::size_t bytes) {
  if (bytes == 0) bytes = 1;
  if (bytes >= LargeObjects::very_large) LargeObjects::expect_more(bytes);
  for (;;) {
    if (bytes <= SmallObjects::largest) {
      SmallObjects* const small = SmallObjects::here();
      if (void* const memory = small ? small->take(bytes) : nullptr) return memory;
    }
    // As large as a piece: it becomes one when it is given back.
    if (void* const memory = std::malloc(bytes <= SmallObjects::largest ? SmallObjects::size_for(bytes) : bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  SmallObjects* const small = bytes <= SmallObjects::largest ? SmallObjects::here() : nullptr;
  if (small) small->give(memory, bytes == 0 ? 1 : bytes);
  else if (bytes > SmallObjects::largest || SmallObjects::size_of(memory) == 0) std::free(memory);
}

void operator delete(void* memory) noexcept {
  if (!memory) return;
  if (const std::size_t bytes = SmallObjects::size_of(memory)) operator delete(memory, bytes);
  else std::free(memory);
}

// The others ask these; but for that of an array, which would forget the size.
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t bytes) noexcept { operator delete(memory, bytes); }
