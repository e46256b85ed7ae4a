// Variables that are declared discrete: each needs a when-clause that assigns it (MLS 4.5.3).

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/expression/walk.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler {

namespace {

void assigned_in_when(const flat::Statements& statements, std::vector<bool>& assigned) {
  each_assignment(statements, [&](const flat::Assignment& a, Place, bool in_when) {
    if (in_when) assigned[index(a.target)] = true;
  });
}

}  // namespace

void check_discrete_variables(Instances& in) {
  std::vector<bool> assigned(in.model.variables.size());
  Walker walker(in.model.expressions);
  for (const flat::When& w : in.model.whens)
    for (const flat::WhenBranch& b : w.branches)
      for (const flat::WhenAction& a : b.body)
        if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node)) assigned[index(s->target)] = true;
        else if (const auto* e = std::get_if<flat::ClockedEquation>(&a.node))   // perhaps for one of these
          for (const Expr side : {e->left, e->right})
            walker.each(side, [&](Expr n) {
              if (in.model.expressions.op(n) == Op::variable) assigned[index(in.model.expressions.variable(n))] = true;
              return true;
            });
  for (const flat::Algorithm& a : in.model.algorithms) assigned_in_when(a.statements, assigned);
  // Connected to a variable that is assigned in a when-clause, it gets its value there all the same.
  std::vector<bool> equated(in.model.variables.size());
  const auto& ex = in.model.expressions;
  for (const flat::Equation& e : in.model.equations)
    if (ex.op(e.left) == Op::variable && ex.op(e.right) == Op::variable && e.binding_of == VariableId::none)
      equated[index(ex.variable(e.left))] = equated[index(ex.variable(e.right))] = true;
  for (Component* c : in.model_components) {
    if (!c->declared_discrete || c->basic->base != BaseType::real || c->causality == parser::Causality::input) continue;
    for (std::size_t k = 0; k < c->size(); ++k) {
      const std::size_t i = index(c->first) + k;
      if (assigned[i] || equated[i]) continue;
      in.error(c->member->place, fmt::format("{} is declared discrete but not assigned in any when-clause", in.model.variables[i].name),
               "set it in a when-clause, or remove `discrete`: an unprefixed Real set at events alone is discrete anyway");
      break;
    }
  }
}

void follow_between_events(Instances& in) {
  flat::Model& m = in.model;
  const auto follows = [&](VariableId v) {
    const flat::Variable& variable = m.variable(v);
    return variable.type != BaseType::real && variable.type != BaseType::clock && variable.variability == flat::Variability::continuous;
  };
  std::vector<VariableId> open;
  for (std::uint32_t i = 0; i < m.variables.size(); ++i)
    if (follows(static_cast<VariableId>(i))) open.push_back(static_cast<VariableId>(i));
  if (open.empty()) return;
  // By variable: the equations with it on one side, and anything that is not Real on the other.
  std::unordered_map<VariableId, std::vector<std::pair<VariableId, const flat::Equation*>>> reached;
  const Expressions& ex = m.expressions;
  Walker walker(ex);
  for (const flat::Equation& e : m.equations) {
    if (ex.type(e.left) == BaseType::real || ex.type(e.left) == BaseType::clock) continue;
    if (ex.op(e.left) == Op::variable)
      walker.each(e.right, [&](Expr n) {
        if (ex.op(n) == Op::variable) reached[ex.variable(n)].push_back({ex.variable(e.left), &e});
        return true;
      });
    if (ex.op(e.left) == Op::variable && ex.op(e.right) == Op::variable) reached[ex.variable(e.left)].push_back({ex.variable(e.right), &e});
  }
  while (!open.empty()) {
    const VariableId v = open.back();
    open.pop_back();
    const auto it = reached.find(v);
    if (it == reached.end()) continue;
    for (const auto& [other, e] : it->second) {
      if (m.variable(other).variability != flat::Variability::discrete) continue;
      const Expr value = ex.op(e->left) == Op::variable && ex.variable(e->left) == other ? e->right : e->left;
      const bool is_copy = ex.op(value) == Op::variable;
      if (!check_discrete(in, other, value, e->place, is_copy)) return;
      if (follows(other)) open.push_back(other);
    }
  }
}

}  // namespace mosim::compiler
