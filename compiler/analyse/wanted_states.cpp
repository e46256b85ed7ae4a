// Variables that shall be states although their derivatives stand in no equation (MLS 4.9.7.1): with der(v) as one more
// unknown, what gives v becomes a constraint between states, and index reduction weighs v against the others.

#include <fmt/format.h>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

void add_wanted_derivatives(Analysis& a) {
  Expressions& x = a.x();
  std::vector<char> differentiated(a.model().variables.size(), 0);
  Walker walker(x);
  for (const Equation& e : a.equations)
    for (Expr side : {e.left, e.right})
      walker.more(side, [&](Expr n) {
        if (x.op(n) == Op::derivative) differentiated[index(x.variable(n))] = 1;
        return true;
      });
  const auto representative = [&](std::uint32_t i) {
    return a.system.facts[i].role == Role::alias ? a.system.facts[i].alias_of : static_cast<VariableId>(i);
  };
  // Somebody must take the place of a variable that must not be a state.
  bool preferred_too = false;
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i)
    if (a.model().variables[i].state_select == flat::StateSelect::never && differentiated[index(representative(i))]) preferred_too = true;
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i) {
    const auto select = a.model().variables[i].state_select;
    const VariableId v = representative(i);
    if (select < flat::StateSelect::prefer || (select == flat::StateSelect::prefer && !preferred_too)) continue;
    if (differentiated[index(v)] || a.fact(v).role != Role::algebraic || a.variable(v).type != BaseType::real) continue;
    differentiated[index(v)] = 1;
    const Place place = a.variable(v).place;
    Equation e;
    e.left = a.value(a.helper(fmt::format("$der({})", a.variable(v).name), BaseType::real, Role::algebraic, place, x.of_variable(Op::derivative, v, BaseType::real, place)));
    e.right = x.of_variable(Op::derivative, v, BaseType::real, place);
    e.place = place;
    e.source_left = e.left;
    e.source_right = e.right;
    a.equations.push_back(e);
  }
}

}  // namespace mosim::compiler::dae
