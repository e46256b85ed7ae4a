#pragma once
// Values of expressions that are known before a run.

#include <functional>
#include <optional>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

/// The highest variability in an expression. Relations, `pre` and the like are discrete (MLS 3.8).
flat::Variability variability(const flat::Model& model, Expr e);

/// Gives the value of a variable as another expression (its binding), or Expr::none if it is not known.
using Known = std::function<Expr(VariableId)>;

/// Folds an expression to a literal; Expr::none if it holds something unknown, or has no value (sqrt(-1)).
Expr evaluate(flat::Model& model, Expr e, const Known& known);

}  // namespace mosim::compiler
