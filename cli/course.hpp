#pragma once
// mosim course: a course of exercises as one page.

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace mosim::cli {

/// Does what the words behind `mosim course` ask for, and returns the exit status.
int course_command(std::vector<std::string> words, Streams& streams);

}  // namespace mosim::cli
