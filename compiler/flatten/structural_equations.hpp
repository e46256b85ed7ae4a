#pragma once
// The equations that say how a model is put together, not what holds in it: connections (MLS 8.3.3, 9), those of the virtual
// connection graph (9.4), and the transitions of state machines (17.1).

#include <functional>
#include <string_view>

#include "compiler/elaborate/elaborate.hpp"

namespace mosim::compiler {

/// One kind of them.
struct StructuralEquations {
  /// May this be one? By its text alone: loops and branches without one are not carried out.
  std::function<bool(const parser::Equation&)> wanted;
  /// Each that stands in the model, with the scope that its names are looked up in.
  std::function<void(const parser::Equation&, const Environment&)> visit;
  /// What is wrong where an if-equation around one has a condition that is not known before the run, and what helps.
  std::string_view unknown_condition, remedy;
};

/// The call that an equation consists of, or null.
const parser::Call* call_in(const parser::Equation& e);

/// Visits those of an object: of its components first, then its own, for- and if-equations carried out.
void visit_structural_equations(Instances& in, Class* object, const StructuralEquations& kind);

}  // namespace mosim::compiler
