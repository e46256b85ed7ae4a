#pragma once
// What is said of a run, as text.

#include <string>

#include "runtime/simulate.hpp"

namespace mosim::engine {

/// "file:line:column: error: at time 0.5: cause", the line with a caret, "  remedy: ...". Ends with a line end.
std::string render(const runtime::Message& message, const runtime::Program& program);

}  // namespace mosim::engine
