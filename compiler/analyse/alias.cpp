// a = b, a = -b, a + b = 0, a = not b: one variable with several names.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

/// Union-find over variables where each link may negate.
class Classes {
public:
  explicit Classes(std::size_t n) : parent_(n), negated_(n, 0) {
    for (std::size_t i = 0; i < n; ++i) parent_[i] = static_cast<std::uint32_t>(i);
  }
  struct Found {
    std::uint32_t root;
    bool negated;
  };
  Found find(std::uint32_t v) {
    bool sign = false;
    std::uint32_t root = v;
    while (parent_[root] != root) {
      sign = sign != bool(negated_[root]);
      root = parent_[root];
    }
    // Second walk: everything on the way points to the root.
    bool rest = sign;
    while (parent_[v] != root && parent_[v] != v) {
      const std::uint32_t next = parent_[v];
      const bool own = negated_[v];
      parent_[v] = root;
      negated_[v] = rest;
      rest = rest != own;
      v = next;
    }
    return {root, sign};
  }
  void join(std::uint32_t root, std::uint32_t other_root, bool negated) {
    parent_[other_root] = root;
    negated_[other_root] = negated;
  }

private:
  std::vector<std::uint32_t> parent_;
  std::vector<char> negated_;
};

struct Pair {
  VariableId first = VariableId::none, second = VariableId::none;
  bool negated = false;
};

class Aliases {
public:
  explicit Aliases(Analysis& a) : a_(a), x_(a.x()), classes_(a.model().variables.size()) {}

  void run() {
    const std::size_t n = a_.model().variables.size();
    score();
    fixed_start_.assign(n, Expr::none);
    given_pre_.assign(n, Expr::none);
    for (std::uint32_t i = 0; i < n; ++i)
      if (const auto v = static_cast<VariableId>(i); a_.fact(v).kind == VariableKind::discrete && a_.is_fixed(v)) fixed_start_[i] = a_.start(v);
    for (const Equation& e : a_.initial_equations) note_pre(e.left, e.right);
    std::vector<Equation> kept;
    kept.reserve(a_.equations.size());
    std::vector<Equation> dropped;
    for (const Equation& e : a_.equations) {
      const Pair pair = alias(e);
      if (pair.first == VariableId::none || !join(pair)) kept.push_back(e);
    }
    if (kept.size() == a_.equations.size()) return;
    a_.equations = std::move(kept);
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto found = classes_.find(i);
      if (found.root == i) continue;
      VariableFacts& facts = a_.system.facts[i];
      facts.kind = VariableKind::alias;
      facts.alias_of = static_cast<VariableId>(found.root);
      facts.negated = found.negated;
      merge_attributes(static_cast<VariableId>(i), static_cast<VariableId>(found.root), found.negated);
    }
    substitute();
  }

private:
  /// Who lends a class its name: what must stay itself first, then the user's before helpers.
  void score() {
    score_.assign(a_.model().variables.size(), 0);
    Walker walker(x_);
    for (const auto* list : {&a_.equations, &a_.initial_equations})
      for (const Equation& e : *list)
        for (Expr side : {e.left, e.right})
          walker.more(side, [&](Expr n) {
            if (x_.op(n) == Op::derivative) score_[index(x_.variable(n))] |= 4;
            return true;
          });
    for (std::uint32_t i = 0; i < score_.size(); ++i) {
      if (a_.system.facts[i].kind == VariableKind::discrete || a_.system.facts[i].kind == VariableKind::clocked) score_[i] |= 8;
      if (i < a_.system.user_variables) score_[i] |= 2;
    }
  }

  bool may_be_alias(VariableId v) {
    const VariableFacts& facts = a_.fact(v);
    return facts.kind == VariableKind::algebraic || facts.kind == VariableKind::discrete || facts.kind == VariableKind::clocked;
  }

  Pair alias(const Equation& e) {
    if (e.why != Why::equation && e.why != Why::algorithm) return {};
    if (e.target != Quantity::none && part(e.target) != Part::value) return {};
    Pair result;
    const auto leaf = [&](Expr n, bool& negated) {
      if (x_.op(n) == Op::negate || (x_.op(n) == Op::not_ && x_.type(n) == BaseType::boolean)) {
        negated = !negated;
        n = x_.child(n, 0);
      }
      return x_.op(n) == Op::variable ? x_.variable(n) : VariableId::none;
    };
    const auto is_zero = [&](Expr n) { return x_.is_number(n) && x_.number(n) == 0; };
    Expr sum = Expr::none;
    if (is_zero(e.left)) sum = e.right;
    else if (is_zero(e.right)) sum = e.left;
    if (sum != Expr::none && (x_.op(sum) == Op::add || x_.op(sum) == Op::subtract)) {
      result.negated = x_.op(sum) == Op::add;
      result.first = leaf(x_.child(sum, 0), result.negated);
      result.second = leaf(x_.child(sum, 1), result.negated);
    } else {
      result.first = leaf(e.left, result.negated);
      result.second = leaf(e.right, result.negated);
    }
    if (result.first == VariableId::none || result.second == VariableId::none) return {};
    if (!may_be_alias(result.first) || !may_be_alias(result.second)) return {};
    if (a_.sums.contains(index(result.first)) || a_.sums.contains(index(result.second))) return {};   // its equation is nobody's
    const flat::Variable &one = a_.variable(result.first), &two = a_.variable(result.second);
    if (one.type != two.type || one.enumeration != two.enumeration) return {};
    // The value that the runtime gives a relation, condition or pulse stays its own.
    if (a_.fact(result.first).pinned || a_.fact(result.second).pinned) return {};
    const bool discrete = a_.fact(result.first).kind != VariableKind::algebraic || a_.fact(result.second).kind != VariableKind::algebraic;
    if (discrete && one.start != Expr::none && two.start != Expr::none) {
      a_.rely_on_start(result.first), a_.rely_on_start(result.second);
      if (one.start != two.start) return {};
    }
    if (a_.fact(result.first).clock != a_.fact(result.second).clock) return {};
    if (a_.fact(result.first).kind == VariableKind::clocked && !start_alike(result)) return {};
    return result;
  }

  /// Before its first tick a clocked variable has its start value, and previous(v) gives it: each its own (MLS 16.2.3).
  bool start_alike(const Pair& pair) {
    a_.rely_on_start(pair.first), a_.rely_on_start(pair.second);
    const Expr one = a_.start(pair.first), two = opposite(a_.start(pair.second), pair.negated);
    if (one == two) return true;
    const auto first = a_.number(one), second = a_.number(two);
    return first && second && *first == *second;
  }

  bool join(const Pair& pair) {
    const auto one = classes_.find(index(pair.first)), two = classes_.find(index(pair.second));
    if (one.root == two.root) return false;   // says nothing new, or contradicts: the structure will show it
    const bool negated = (one.negated != two.negated) != pair.negated;
    if (start_apart(fixed_start_, one.root, two.root, negated) || (negated && start_apart(given_pre_, one.root, two.root, negated))) return false;
    const bool keep_first = score_[one.root] > score_[two.root] ||
                            (score_[one.root] == score_[two.root] && one.root < two.root);
    const std::uint32_t root = keep_first ? one.root : two.root, other = keep_first ? two.root : one.root;
    classes_.join(root, other, negated);
    for (auto* starts : {&fixed_start_, &given_pre_})
      if ((*starts)[root] == Expr::none) (*starts)[root] = opposite((*starts)[other], negated);
    return true;
  }

  /// `pre(v) = ...` as an initial equation. What is said of one signal under two names, as blocks that share it do, is one
  /// thing said twice; a signal and its negation are two.
  void note_pre(Expr left, Expr right) {
    const Quantity q = quantity_of(x_, left);
    if (q == Quantity::none || part(q) != Part::pre) return;
    Expr& start = given_pre_[index(variable(q))];
    if (start == Expr::none && a_.number(right, Reliance::nothing)) start = right;
  }

  /// MLS 8.6: fixed gives pre of a discrete variable, and equal ones may start from different values of pre.
  bool start_apart(const std::vector<Expr>& starts, std::uint32_t one, std::uint32_t two, bool negated) {
    if (starts[one] == Expr::none || starts[two] == Expr::none) return false;
    a_.rely_on_start(static_cast<VariableId>(one)), a_.rely_on_start(static_cast<VariableId>(two));
    const Expr other = opposite(starts[two], negated);
    const auto first = a_.number(starts[one]), second = a_.number(other);
    return first && second ? *first != *second : starts[one] != other;
  }

  Expr opposite(Expr e, bool negated) {
    if (!negated || e == Expr::none) return e;
    return x_.type(e) == BaseType::boolean ? a_.negation(e) : x_.simplified(Op::negate, x_.type(e), {e});
  }

  void merge_attributes(VariableId from, VariableId to, bool negated) {
    const flat::Variable source = a_.variable(from);
    flat::Variable& target = a_.variable(to);
    const bool source_fixed = a_.is_fixed(from), target_fixed = a_.is_fixed(to);
    const Expr start = opposite(source_fixed ? a_.start(from) : source.start, negated);
    if (source_fixed) a_.rely_on_start(to);
    if (source_fixed && target_fixed) {
      const auto one = a_.number(start), two = a_.number(a_.start(to));
      if (one && two ? *one != *two : start != a_.start(to))
        a_.error(source.place,
                 fmt::format("{} and {} are equal{}, but both have fixed = true with different start values", a_.name(from),
                             a_.name(to), negated ? " except for the sign" : ""),
                 "leave fixed = true to one of them", {{target.place, a_.name(to) + " is declared here"}});
    } else if (source_fixed) {
      target.fixed = x_.boolean(true);
      target.start = start;
    } else if (target.start == Expr::none) {
      target.start = start;
    }
    if (target.nominal == Expr::none) target.nominal = source.nominal;
    target.state_select = std::max(target.state_select, source.state_select);
  }

  void substitute() {
    const auto& facts = a_.system.facts;
    const auto replaced = [&](Expr e) {
      const Quantity q = quantity_of(x_, e);
      if (q == Quantity::none) return Expr::none;
      const VariableFacts& f = facts[index(variable(q))];
      if (f.kind != VariableKind::alias) return Expr::none;
      const Expr other = part(q) == Part::value ? a_.value(f.alias_of)
                                                : x_.of_variable(x_.op(e), f.alias_of, x_.type(e), x_.place(e));
      return opposite(other, f.negated);
    };
    Rewriter rewriter(x_, replaced);
    rewrite_all(a_, [&](Expr e) { return rewriter(e); });
    const auto of = [&](VariableId& v) {
      const VariableFacts& f = facts[index(v)];
      if (f.kind != VariableKind::alias) return false;
      const bool negated = f.negated;
      v = f.alias_of;
      return negated;
    };
    for (auto* list : {&a_.equations, &a_.initial_equations})
      for (Equation& e : *list) {
        if (e.target == Quantity::none) continue;
        VariableId v = variable(e.target);
        // A negated target: turn the assignment round, so that it is one for the variable that stays.
        if (of(v)) e.right = opposite(e.right, true);
        if (v == variable(e.target)) continue;
        e.left = a_.leaf(quantity(v, part(e.target)));
        e.target = quantity(v, part(e.target));
      }
    for (WhenEffect& effect : a_.system.effects)
      if (auto* r = std::get_if<flat::Reinit>(&effect.node))
        if (of(r->state)) r->value = opposite(r->value, true);
    for (VariableId& v : a_.system.previous) of(v);
    for (Delay& d : a_.system.delays) {
      of(d.input);
      if (d.varying != VariableId::none) of(d.varying);
    }
    for (SpatialDistribution& t : a_.system.spatial_distributions)
      for (VariableId* v : {&t.in0, &t.in1, &t.x, &t.positive}) of(*v);
  }

  Analysis& a_;
  Expressions& x_;
  Classes classes_;
  std::vector<char> score_;
  std::vector<Expr> fixed_start_;   // of discrete variables; by root of a class, with the root's sign
  std::vector<Expr> given_pre_;     // the same, by initial equations
};

}  // namespace

void remove_aliases(Analysis& a) { Aliases(a).run(); }

}  // namespace mosim::compiler::dae
