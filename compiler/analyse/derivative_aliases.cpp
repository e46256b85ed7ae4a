// w1 = der(x), w2 = der(x): both are the same. Rigid connections of components say so over and over.

#include "compiler/analyse/index_reduction.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr int most_rounds = 50;   // each takes one derivative more into account

/// Puts w for der(x) everywhere but in the first equation that says w = der(x). True if that changed any.
bool substitute(Analysis& a) {
  Expressions& x = a.x();
  std::unordered_map<std::uint32_t, Expr> value;   // of der(x), by x
  std::vector<char> defines(a.equations.size(), 0);
  const auto varies = [&](Expr leaf) {
    const VariableKind kind = a.fact(x.variable(leaf)).kind;
    return kind == VariableKind::state || kind == VariableKind::algebraic;
  };
  for (std::uint32_t i = 0; i < a.equations.size(); ++i) {
    const Equation& e = a.equations[i];
    if (e.why != Why::equation || e.target != Quantity::none || e.clock != none) continue;
    for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
      if (x.op(one) != Op::derivative || x.op(other) != Op::variable || !varies(one) || !varies(other)) continue;
      defines[i] = value.emplace(index(x.variable(one)), other).second;
      break;
    }
  }
  if (value.empty()) return false;
  Rewriter rewriter(x, [&](Expr e) {
    if (x.op(e) != Op::derivative) return Expr::none;
    const auto it = value.find(index(x.variable(e)));
    return it == value.end() ? Expr::none : it->second;
  });
  bool changed = false;
  for (std::uint32_t i = 0; i < a.equations.size(); ++i) {
    if (defines[i]) continue;
    Equation& e = a.equations[i];
    const Expr left = rewriter(e.left), right = rewriter(e.right);
    changed = changed || left != e.left || right != e.right;
    e.left = left;
    e.right = right;
  }
  return changed;
}

/// An alias of what has become an alias.
void follow_aliases(Analysis& a) {
  for (VariableFacts& facts : a.system.facts)
    while (facts.kind == VariableKind::alias && a.fact(facts.alias_of).kind == VariableKind::alias) {
      const VariableFacts& next = a.fact(facts.alias_of);
      facts.negated = facts.negated != next.negated;
      facts.alias_of = next.alias_of;
    }
}

}  // namespace

bool share_derivatives(Analysis& a) {
  bool changed = false;
  for (int round = 0; round < most_rounds && substitute(a); ++round) {
    changed = true;
    for (VariableId v : a.system.states) a.fact(v).kind = VariableKind::algebraic;
    a.system.states.clear();
    remove_aliases(a);
    if (a.failed) return changed;
    follow_aliases(a);
    select_states(a);
    if (a.failed) return changed;
  }
  return changed;
}

}  // namespace mosim::compiler::dae
