#pragma once
// What can be said of a function's statements before a run.

#include <cstdint>
#include <set>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

/// Locals that have a value when the statements end, whichever way is gone. A loop counts as gone through: it is for the run to see
/// that it was not.
struct Assigned {
  std::set<std::uint32_t> locals;
  bool never = false;             // they do not end
};
Assigned assigned_by(const flat::Statements& list);

/// The literal that a local has whichever way is gone, if it is assigned one alone; none: another.
Expr only_literal(const flat::Model& model, const flat::Statements& list, LocalId local);

/// Every call of the function leads to another one of it.
bool calls_itself_for_certain(const flat::Model& model, FunctionId f);

}  // namespace mosim::compiler
