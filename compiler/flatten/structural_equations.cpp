#include "compiler/flatten/structural_equations.hpp"

#include <algorithm>
#include <string>

#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/ordered_table.hpp"

namespace mosim::compiler {

namespace {

using Equations = parser::List<parser::Equation>;

struct Visit {
  Instances& in;
  const StructuralEquations& kind;
  OrderedTable<const parser::ClassDefinition*, bool> seen{};

  bool any(Equations equations) const {
    return std::any_of(equations.begin(), equations.end(), [&](const parser::Equation& e) {
      if (const auto* f = std::get_if<parser::ForEquation>(&e.node)) return any(f->body);
      if (const auto* i = std::get_if<parser::IfEquation>(&e.node))
        return std::any_of(i->branches.begin(), i->branches.end(), [&](const auto& b) { return any(b.body); });
      return kind.wanted(e);
    });
  }

  void equations(Equations equations_of, const Environment& env) {
    for (const parser::Equation& e : equations_of) {
      if (const auto* f = std::get_if<parser::ForEquation>(&e.node)) {
        if (any(f->body))
          for_each_iteration(in, f->indices, env, f->body, [&](const Iteration& iteration) {
            equations(f->body, iteration.environment());
            return true;
          });
      } else if (const auto* i = std::get_if<parser::IfEquation>(&e.node)) {
        if (std::any_of(i->branches.begin(), i->branches.end(), [&](const auto& b) { return any(b.body); })) chosen(*i, env);
      } else if (kind.wanted(e)) {
        kind.visit(e, env);
      }
    }
  }

  void chosen(const parser::IfEquation& i, const Environment& env) {
    for (const auto& b : i.branches) {
      if (b.condition) {
        auto condition = elaborate(in, *b.condition, env);
        if (!condition || !condition->scalar() || !convert(in, *condition, boolean_type, b.condition->place, "a condition")) return;
        const Expr known = in.evaluated(condition->only());
        if (known == Expr::none) {
          in.error(b.condition->place, std::string(kind.unknown_condition), std::string(kind.remedy));
          return;
        }
        if (!in.model.expressions.payload(known)) continue;
      }
      equations(b.body, env);
      return;
    }
  }

  /// A class inherited twice brings its equations once (MLS 7.1).
  void of_class(Class* c) {
    if (c->definition && !seen.try_emplace(c->definition).second) return;
    for (const Class::Base& b : c->bases) of_class(b.base);
    const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
    if (!specifier) return;
    for (const auto& section : specifier->composition.sections)
      if (const auto* e = std::get_if<parser::EquationSection>(&section); e && !e->initial) equations(e->equations, Environment::of(c));
  }
};

}  // namespace

const parser::Call* call_in(const parser::Equation& e) {
  const auto* c = std::get_if<parser::CallEquation>(&e.node);
  return c ? std::get_if<parser::Call>(&c->call->node) : nullptr;
}

void visit_structural_equations(Instances& in, Class* object, const StructuralEquations& kind) {
  for (Member* m : object->members) {
    if (m->is_class() || m->broken || !m->component || m->component->removed) continue;
    if (m->outer && !m->inner) continue;
    for (Class* element : m->component->elements) visit_structural_equations(in, element, kind);
  }
  Visit{in, kind}.of_class(object);
}

}  // namespace mosim::compiler
