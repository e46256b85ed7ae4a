#pragma once
// mosim check-submission: models that others wrote, beside a reference or conditions.

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace mosim::cli {

/// Does what the words behind `mosim check-submission` ask for, and returns the exit status.
int check_submission_command(std::vector<std::string> words, Streams& streams);

}  // namespace mosim::cli
