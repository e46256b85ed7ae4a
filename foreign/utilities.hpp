#pragma once
// The utility functions that C code of models may call (MLS 12.9.6): ModelicaError, ModelicaAllocateString and the like.

#include <csetjmp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/message.hpp"

namespace mosim::foreign {

/// What ModelicaUtilities.h declares, as C text.
std::string_view utilities_header();

struct Symbol {
  const char* name;
  const void* address;
};
std::span<const Symbol> utilities();

/// One call of foreign code, as the utility functions see it: they are given no context, so that there is one at a time.
struct Surroundings {
  std::jmp_buf back;                 // ModelicaError comes back here, with `error` filled
  std::string error;
  std::vector<char*> texts;          // allocated in this call
  Channel* channel = nullptr;        // where messages go
};
/// Null: no call is under way.
void surround(Surroundings* surroundings);

}  // namespace mosim::foreign
