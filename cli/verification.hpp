#pragma once
// What --verify has found, in words.

#include <string>

#include "mosim/session.hpp"

namespace mosim::cli {

/// The lines for the report, of at most so many columns; 0: no limit.
std::string verification(const Verification& found, std::size_t columns);

/// An equation that does not hold, in the form of the compiler's diagnostics.
std::string render(const Residual& residual);

}  // namespace mosim::cli
