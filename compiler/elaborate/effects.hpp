#pragma once
// Calls that stand alone, as an equation or as a statement: assert, terminate, and functions for what they assert.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/elaborate/environment.hpp"
#include "compiler/flatten/flat.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Instances;

/// assert(condition, message, level)
std::optional<flat::Assertion> elaborate_assert(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                const Environment& env);
std::optional<flat::Termination> elaborate_terminate(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                     const Environment& env);
/// The run must not come where this is: an error of its own, if it does.
void never(Instances& in, const std::string& message, Place place, const Environment& env);
/// The name of the callee if it is a simple one, else "".
std::string_view simple_callee(Instances& in, const parser::Expression& e);
/// A call that is an equation or statement by itself (MLS 12.3): what has to be called for it, beside what functions that became their
/// results assert. Empty after an error.
std::optional<std::vector<flat::Assertion>> call_for_effect(Instances& in, const parser::Expression& e, const Environment& env);

}  // namespace mosim::compiler
