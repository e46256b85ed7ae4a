#pragma once
// The process in which foreign code runs: it answers what it is asked, one thing after the other.

#include <string>

namespace mosim::foreign {

/// Until the other end of the socket is gone; then the process ends. `utilities_folder`: see make_unit().
[[noreturn]] void work(int descriptor, const std::string& utilities_folder);

}  // namespace mosim::foreign
