#pragma once
// What the selection of states knows of the constraints.

#include "compiler/analyse/index_reduction.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

/// Of a highest derivative in a differentiated constraint.
struct Coefficient {
  Expr expression = Expr::none;   // none: not linear, as far as is known
  double value = 1;               // with the start values
  double generic = 1;             // of the same structure, but not 0 by chance
  bool constant = false;          // of constants and parameters alone
};

}  // namespace mosim::compiler::dae
