#pragma once
// The event log as text, to be read from top to bottom.

#include <cstddef>
#include <string>

#include "runtime/simulate.hpp"

namespace mosim::cli {

/// `longest`: when there are more lines than that, the middle is left out and said to be; 0: nothing is left out.
std::string event_text(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                       std::size_t longest);

}  // namespace mosim::cli
