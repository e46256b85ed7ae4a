#pragma once
// Files that are written at once.

#include <optional>
#include <string>

namespace mosim::report {

/// "-" is standard output. Returns what went wrong, if anything, in one sentence.
std::optional<std::string> write_file(const std::string& path, std::string contents);

}  // namespace mosim::report
