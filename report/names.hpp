#pragma once
// Variables by the names that a user writes: --results and --plot.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::report {

/// The names of a list, split at the commas that stand outside brackets, parentheses and quoted identifiers, without blanks
/// around or within (but for those in quotes).
std::vector<std::string> split_names(std::string_view list);

/// Whether a pattern is a variable's name. Subscripts may be left out, which stands for all elements: mass.v is mass[1].v and
/// mass[2].v. With wildcards, * is any text and ? any one character.
bool matches(std::string_view pattern, std::string_view name, bool wildcards);

/// Has it wildcards? (A quoted identifier may hold the characters, too: a variable of that very name comes first.)
bool has_wildcards(std::string_view pattern);

/// The variables that a pattern means, as indices: one that has this very name, else all that match.
std::vector<runtime::Index> find_variables(const runtime::Program& program, const std::string& pattern);

/// The candidate nearest to a misspelt name, or an empty string when none is near.
std::string nearest(std::string_view misspelt, const std::vector<std::string_view>& candidates);

/// What to say of a name that no variable has: what is in the component of that name, or a name like it. What is to be done with it:
/// "draw", "drawn".
std::string unknown_name(const runtime::Program& program, const std::string& name, std::string_view verb, std::string_view participle);

}  // namespace mosim::report
