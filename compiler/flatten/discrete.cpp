// Variables that are declared discrete: each needs a when-clause that assigns it (MLS 4.5.3).

#include <fmt/format.h>

#include <vector>

#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

void assigned_in_when(const flat::Statements& statements, bool in_when, std::vector<bool>& assigned) {
  for (const flat::Statement& s : statements) {
    if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
      if (in_when) assigned[index(a->target)] = true;
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      for (const auto& b : i->branches) assigned_in_when(b.body, in_when, assigned);
    } else if (const auto* f = std::get_if<flat::ForStatement>(&s.node)) {
      for (const auto& body : f->iterations) assigned_in_when(body, in_when, assigned);
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      assigned_in_when(w->body, in_when, assigned);
    } else if (const auto* w = std::get_if<flat::WhenStatement>(&s.node)) {
      for (const auto& b : w->branches) assigned_in_when(b.body, true, assigned);
    }
  }
}

}  // namespace

void check_discrete_variables(Instances& in) {
  std::vector<bool> assigned(in.model.variables.size());
  for (const flat::When& w : in.model.whens)
    for (const flat::WhenBranch& b : w.branches)
      for (const flat::WhenAction& a : b.body)
        if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node)) assigned[index(s->target)] = true;
  for (const flat::Algorithm& a : in.model.algorithms) assigned_in_when(a.statements, false, assigned);
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

}  // namespace mosim::compiler
