#pragma once
// Sections of a program and functions as machine code.

#include <cstddef>
#include <vector>

#include <asmjit/core.h>

#include "runtime/machine_frame.hpp"

namespace mosim::runtime::translated {

/// How many instructions the section or function has that begins at `entry`.
std::size_t length(const Program& program, Entry entry);

/// Writes it to `code`, a function `Code`, and says how its instructions are counted. False: it cannot be translated.
bool translate(const Program& program, Entry entry, Beside beside, asmjit::CodeHolder& code, std::vector<Stretch>& stretches);

}  // namespace mosim::runtime::translated
