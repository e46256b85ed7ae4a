// Where impure functions may be called (MLS 12.3).

#include <fmt/format.h>

#include "compiler/expression/statement_walk.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

class Purity {
public:
  explicit Purity(Instances& in) : in_(in), ex_(in.model.expressions), walker_(ex_) {}

  void check(Expr e) {
    if (e == Expr::none) return;
    walker_.more(e, [&](Expr n) {
      if (ex_.op(n) == Op::call) complain(n);
      return true;
    });
  }

  /// What stands in a when-statement is said to happen at an event.
  void check(const flat::Statements& list) {
    for (const flat::Statement& s : list) {
      if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
        check(a->value);
      } else if (const auto* c = std::get_if<flat::Assertion>(&s.node)) {
        check(c->condition), check(c->message);
      } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
        for (const auto& b : i->branches) check(b.condition), check(b.body);
      } else if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
        for (const auto& body : f->iterations) check(body);
      } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
        check(w->condition), check(w->body);
      } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
        check(l->first), check(l->last), check(l->body);
      } else if (const auto* w = std::get_if<flat::WhenStatement>(&s.node)) {
        for (const auto& b : w->branches)
          for (Expr c : b.conditions) check(c);
      }
    }
  }

private:
  void complain(Expr call) {
    const flat::Function& f = in_.model.functions[index(ex_.function(call))];
    if (!f.declared_impure || !counts(in_.model, call)) return;
    // An example of Modelica.Media prints in an equation, and other tools let it.
    in_.breach(ex_.place(call), fmt::format("{} is impure, and nothing here says when it is to be called", f.name),
               fmt::format("call it in a when-clause, in an initial section or for the value of a parameter; if the same arguments always give the same: pure({}(...))", f.name),
               {{f.place, "declared here"}}, fmt::format("this library calls {}, which is impure, without saying when: it is called after every step and at every event", f.name));
  }

  Instances& in_;
  const Expressions& ex_;
  Walker walker_;
};

}  // namespace

void check_purity(Instances& in) {
  bool any = false;
  for (const flat::Function& f : in.model.functions) any = any || f.declared_impure;
  if (!any) return;
  const flat::Model& m = in.model;
  Purity purity(in);
  for (const flat::Variable& v : m.variables)
    if (v.variability == flat::Variability::constant) purity.check(v.binding);
  for (const flat::Equation& e : m.equations) purity.check(e.left), purity.check(e.right);
  for (const flat::Assertion& a : m.assertions) purity.check(a.condition), purity.check(a.message);
  for (const flat::When& w : m.whens)
    for (const flat::WhenBranch& b : w.branches)
      for (const Expr c : b.conditions) purity.check(c);
  for (const flat::Algorithm& a : m.algorithms) purity.check(a.statements);
}

}  // namespace mosim::compiler
