// Index reduction from end to end, and what it leaves: a system of index 1 with fewer states.

#include "compiler/analyse/index_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/expression/walk.hpp"

namespace mosim::compiler::dae {

namespace {

class Rewriting {
public:
  Rewriting(Analysis& a, Tower& tower) : a_(a), x_(a.x()), t_(tower) {}

  /// Rewrites the system with the states that were chosen.
  void apply(const std::vector<Equation>& selectors) {
    selectors_ = selectors;
    const auto count = static_cast<std::uint32_t>(t_.unknowns.size());
    for (std::uint32_t u = 0; u < count; ++u)
      if (t_.unknowns[u].order == 0 && t_.unknowns[u].higher != none) give_kinds(u);
    rewrite();
    number_states();
  }

private:
  bool is_state(std::uint32_t u) const { return t_.unknowns[u].higher != none && !t_.unknowns[t_.unknowns[u].higher].dummy; }

  /// Of a variable and its derivatives: states up to the first dummy derivative.
  void give_kinds(std::uint32_t root) {
    for (std::uint32_t u = root; u != none; u = t_.unknowns[u].higher) {
      const bool derivative = u != root;
      // der(v) of a v that is no state is an unknown of its own.
      if (derivative && !is_state(t_.unknowns[u].lower)) t_.name_derivative(u);
      const VariableId v = t_.variable_of(u);
      if (v == VariableId::none) continue;   // the derivative of a state
      if (is_state(u) != (a_.fact(v).kind == VariableKind::state)) note_change(u, v);
      if (t_.unknowns[u].higher != none && !is_state(u)) {
        t_.name_derivative(t_.unknowns[u].higher);
        a_.dummies[index(v)] = t_.variable_of(t_.unknowns[u].higher);
      }
      a_.fact(v).kind = is_state(u) ? VariableKind::state : VariableKind::algebraic;
      a_.fact(v).number = none;
      if (derivative && is_state(t_.unknowns[u].lower)) definitions_.push_back(t_.definition(u));
    }
  }

  void note_change(std::uint32_t u, VariableId v) {
    if (is_state(u)) a_.system.reduction.promoted.push_back(v);
    else a_.system.reduction.demoted.push_back({v, t_.unknowns[t_.unknowns[u].higher].why});
  }

  void rewrite() {
    std::vector<Equation> equations = t_.others;
    for (Tower::Row& row : t_.equations) {
      equations.push_back(row.equation);
      if (row.order > 0) differentiated_.push_back(equations.size() - 1), orders_.push_back(row.order);
    }
    equations.insert(equations.end(), selectors_.begin(), selectors_.end());
    a_.equations = std::move(equations);
    rewrite_all(a_, [this](Expr e) { return t_.canonical(e); });
    for (std::size_t i = 0; i < differentiated_.size(); ++i) {
      const Equation& e = a_.equations[differentiated_[i]];
      a_.system.reduction.differentiated.push_back({e.left, e.right, orders_[i], e.place});
    }
    a_.equations.insert(a_.equations.end(), definitions_.begin(), definitions_.end());
  }

  void number_states() {
    a_.system.states.clear();
    for (std::uint32_t i = 0; i < a_.system.facts.size(); ++i) {
      VariableFacts& facts = a_.system.facts[i];
      if (facts.kind != VariableKind::state) continue;
      facts.number = static_cast<std::uint32_t>(a_.system.states.size());
      a_.system.states.push_back(static_cast<VariableId>(i));
    }
  }

  Analysis& a_;
  Expressions& x_;
  Tower& t_;
  std::vector<Equation> definitions_;   // der(v) = w of states v and w
  std::vector<Equation> selectors_;     // of state sets
  std::vector<std::size_t> differentiated_;
  std::vector<std::uint32_t> orders_;
};

}  // namespace

namespace {

/// In a discretised partition nobody chooses anew: where that is needed it is an error. What would merely be watched is not.
bool settle_state_sets(Analysis& a) {
  for (const StateSet& set : a.system.state_sets) {
    for (VariableId v : set.coefficients)
      if (v != VariableId::none) a.fact(v).kind = VariableKind::gone;
    if (set.levels.empty()) continue;
    std::string candidates;
    const auto& list = set.levels.back().candidates;
    for (std::size_t i = 0; i < list.size(); ++i) candidates += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + a.name(list[i]);
    const std::size_t count = set.levels.back().states.size();
    a.error(set.place, fmt::format("which {}of {} {} would have to change during the run, and in a clocked partition with a solverMethod states stay what they are",
                                   count == 1 ? "" : std::to_string(count) + " ", candidates, count == 1 ? "is a state" : "are states"),
            "choose with stateSelect = StateSelect.always, among them and among their derivatives, or use coordinates that are good everywhere, as an angle is");
  }
  a.system.state_sets.clear();
  return !a.failed;
}

/// Puts shared sums back into equations that are differentiated together with what the sums are: states are chosen between variables that
/// the model has, by how large they are. False: there are none.
bool spread_sums(Analysis& a, const Tower& tower) {
  const Expressions& x = a.x();
  std::set<std::pair<Expr, Expr>> differentiated;
  std::unordered_map<std::uint32_t, Expr> meanings;   // of sums that are
  Rewriter spread(a.x(), [&](Expr e) {
    const auto it = x.op(e) == Op::variable ? meanings.find(index(x.variable(e))) : meanings.end();
    return it == meanings.end() ? Expr::none : it->second;
  });
  for (const Tower::Row& row : tower.equations) {
    if (row.order > 0 || row.higher == none) continue;
    if (is_of_sum(a, row.equation)) meanings.emplace(index(x.variable(row.equation.left)), spread(row.equation.right));   // after those in it
    else differentiated.emplace(row.equation.left, row.equation.right);
  }
  if (meanings.empty()) return false;
  const auto is_link = [&](Expr one, Expr other) { return x.op(one) == Op::derivative && x.op(other) == Op::variable; };
  bool any = false;
  for (Equation& e : a.equations) {
    if (is_of_sum(a, e) || (!differentiated.contains({e.left, e.right}) && !is_link(e.left, e.right) && !is_link(e.right, e.left))) continue;
    const Expr left = spread(e.left), right = spread(e.right);
    any = any || left != e.left || right != e.right;
    e.left = left;
    e.right = right;
  }
  return any;
}

bool reduce(Analysis& a, const Problem& problem, const Matcher& matching, bool may_spread) {
  const auto before = may_spread && !a.sums.empty() ? a.checkpoint() : nullptr;
  Tower tower(a, problem, matching);
  const std::size_t given = tower.equations.size();
  if (!differentiate_constraints(a, tower)) {
    const bool signals = std::any_of(tower.equations.begin(), tower.equations.end(), [](const Tower::Row& row) { return row.has_signals; });
    if (a.failed || !signals || tower.equations.size() > given) return false;
    // Signals whose derivatives an annotation names are no inputs here: the system gives their values. They are what they are written as.
    Rewriter plain(a.x(), {}, [&](Expr e, Expr) { return a.x().op(e) == Op::inlined ? a.x().child(e, 0) : e; });
    rewrite_all(a, [&](Expr e) { return plain(e); });
    return reduce(a, problem, matching, may_spread);
  }
  const bool of_sums = std::any_of(tower.equations.begin(), tower.equations.end(),
                                   [&](const Tower::Row& row) { return row.order == 0 && row.higher != none && is_of_sum(a, row.equation); });
  if (before && of_sums) {
    a.restore(*before);   // without the derivatives that have got names
    if (!spread_sums(a, tower)) return reduce(a, problem, matching, false);
    const Problem again = make_problem(a);
    Matcher matching_again(again.incidence, again.unknowns.size());
    match(a, again, matching_again);
    return reduce(a, again, matching_again, true);
  }
  Constraints constraints;
  if (!select_dummy_derivatives(a, tower, constraints)) return false;
  std::vector<Equation> selectors = make_state_sets(a, tower, constraints);
  if (a.partition != none) {
    if (!settle_state_sets(a)) return false;
    selectors.clear();
  }
  Rewriting(a, tower).apply(selectors);
  return true;
}

}  // namespace

bool reduce_index(Analysis& a, const Problem& problem, const Matcher& matching) { return reduce(a, problem, matching, true); }

}  // namespace mosim::compiler::dae
