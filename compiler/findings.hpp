#pragma once
// What of a stage's findings is said: one error for each mistake.

#include "compiler/instantiate/library.hpp"

namespace mosim::compiler {

/// Puts findings to the library's diagnostics: not what may be wrong because a declaration could not be read, and what is
/// said in the same words of several places once, with a note for each of the first.
void say(Library& library, parser::Diagnostics found);

}  // namespace mosim::compiler
