#pragma once
// Which variables a plot shows.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/simulate.hpp"

namespace mosim::report {

/// What is drawn: indices into Program::variables, in order; `time_itself` stands for the variable time.
using Choice = std::vector<runtime::Index>;
inline constexpr runtime::Index time_itself = runtime::none;

/// The variables of a list of names and patterns, as in report/names.hpp. Or what is wrong with it, in one sentence.
std::variant<Choice, std::string> choose(const runtime::Program& program, std::string_view list);

struct Kept;

/// What is drawn if nothing is asked for: states and discrete variables that change; if there are none, whatever changes;
/// public ones before protected ones, one for each quantity that has several names, `most` at most.
Choice default_choice(const runtime::Program& program, const Kept& rows, std::size_t most);

/// The positions in a list of variables in the order in which a default choice takes those that change.
std::vector<std::size_t> default_order(const runtime::Program& program, const std::vector<runtime::Index>& variables);

}  // namespace mosim::report
