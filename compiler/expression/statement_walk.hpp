#pragma once
// Walking over the statements of functions.

#include <cstdint>
#include <vector>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

/// Visits the expressions of statements.
template <class Visit>
void each_expression(const flat::Statements& list, Visit visit) {
  for (const flat::Statement& s : list) {
    if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
      for (const auto& one : a->all) visit(one.value);
    } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
      visit(e->at), visit(e->value);
    } else if (const auto* creation = std::get_if<flat::ArrayCreation>(&s.node)) {
      for (const Expr e : creation->extents) visit(e);
    } else if (const auto* item = std::get_if<flat::ItemAssignment>(&s.node)) {
      for (const Expr e : item->at) visit(e);
      visit(item->value);
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      for (const auto& b : i->branches) {
        if (b.condition != Expr::none) visit(b.condition);
        each_expression(b.body, visit);
      }
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      visit(l->first), visit(l->last);
      each_expression(l->body, visit);
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      visit(w->condition);
      each_expression(w->body, visit);
    } else if (const auto* external = std::get_if<flat::ExternalCall>(&s.node)) {
      for (const auto& o : external->operands)
        for (const Expr e : o.values) visit(e);
    } else if (const auto* c = std::get_if<flat::Assertion>(&s.node)) {
      visit(c->condition), visit(c->message);
    }
  }
}

/// Whether a call counts each time (MLS 12.3): of an impure function, not in pure(...). Each such call has a number of its own.
bool counts(const flat::Model& model, Expr call);
/// Whether there is such a call in e.
bool has_counting_call(const flat::Model& model, Expr e);

/// The functions that are called somewhere in a function's statements, each at least once.
std::vector<std::uint32_t> functions_called(const flat::Model& model, FunctionId f);

}  // namespace mosim::compiler
