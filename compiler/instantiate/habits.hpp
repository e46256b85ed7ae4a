#pragma once
// Remedies for names that are known from other languages, from mathematics, or from older libraries. Empty: none known.

#include <string>
#include <string_view>
#include <vector>

namespace mosim::compiler {

/// Double, bool, int ...; and keywords that are misspelt, which read as types.
std::string type_instead(std::string_view name);
/// ln, pow, ddt ...
std::string function_instead(std::string_view name);
/// True, PI, inf, dx ...; `visible`: the names that can be seen.
std::string variable_instead(std::string_view name, const std::vector<std::string_view>& visible);
/// x.dot, x.der
std::string member_instead(std::string_view of, std::string_view name);
/// SI, SIunits: names that examples import and that stand for parts of the Modelica library.
std::string library_instead(std::string_view name);
/// What a class or a parameter of a library has been renamed to; `path`: where it is looked for.
std::string renamed(std::string_view path, std::string_view name);

}  // namespace mosim::compiler
