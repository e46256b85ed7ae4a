#pragma once
// What kind of file results go to.

#include <optional>
#include <string>
#include <variant>

#include "mosim/result_file.hpp"

namespace mosim::cli {

/// By the name of the output; none for "none". "-" and what is there already and is no file (/dev/null, a pipe) get CSV. Or what is wrong with it,
/// in one sentence.
std::variant<std::optional<ResultFormat>, std::string> format_of_output(const std::string& output);

}  // namespace mosim::cli
