#pragma once
// Whether a program can be run without harm: each index leads to where there is something, each piece of code stays in its bounds and ends.
// What the compiler makes has no flaw; what a file holds may. The numbers that it computes with are anything.

#include <optional>
#include <string>

#include "runtime/program.hpp"

namespace mosim::program {

/// The first flaw that is found, in one sentence; nothing: there is none. Takes time linear in the size of the program.
std::optional<std::string> find_flaw(const runtime::Program& program);

}  // namespace mosim::program
