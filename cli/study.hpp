#pragma once
// mosim study: many runs of one model.

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace mosim::cli {

/// Does what the words behind `mosim study` ask for, and returns the exit status.
int study_command(std::vector<std::string> words, Streams& streams);

}  // namespace mosim::cli
