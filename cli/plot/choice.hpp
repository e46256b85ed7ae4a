#pragma once
// Which variables a plot shows.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/simulate.hpp"

namespace mosim::cli {

/// What is drawn: indices into Program::variables, in order; `time_itself` stands for the variable time.
using Choice = std::vector<runtime::Index>;
inline constexpr runtime::Index time_itself = runtime::none;

/// The names of a list, split at the commas that stand outside brackets, parentheses and quoted identifiers, without blanks
/// around or within (but for those in quotes).
std::vector<std::string> split_names(std::string_view list);

/// The variables of that list; an array's name stands for all of its elements. Or what is wrong with it, in one sentence.
std::variant<Choice, std::string> choose(const runtime::Program& program, std::string_view list);

/// What is drawn if nothing is asked for: states and discrete variables that change; if there are none, whatever changes;
/// public ones before protected ones, one for each quantity that has several names, `most` at most.
Choice default_choice(const runtime::Program& program, const runtime::Result& result, std::size_t most);

}  // namespace mosim::cli
