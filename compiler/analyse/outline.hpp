#pragma once
// Statements of a model's algorithm as code: they become a function, whose inputs are what they read and whose outputs are what they assign.

#include <span>
#include <vector>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler::dae {

struct Outlined {
  FunctionId function = FunctionId::none;
  std::vector<VariableId> targets;   // its outputs
  std::vector<Expr> arguments;       // expressions of the model where the statements begin
  bool counts = false;               // something impure is called
};

/// Whether a statement can only be code: a loop whose rounds the run alone knows, or impure calls whose order and number count (MLS 12.3).
/// `in_order`: such calls alone are enough. When-statements are none.
bool needs_code(const flat::Model& model, const flat::Statement& s, bool in_order);

/// The statements hold no when-statement, and no break out of a loop around them. Relations that make events cross on values
/// of the model alone: those that compare what the statements change are literal.
Outlined outline(flat::Model& model, std::span<const flat::Statement> list, Place place);

}  // namespace mosim::compiler::dae
