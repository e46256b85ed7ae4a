// Which differential equations a solver method solves in a clocked partition (MLS 16.8.2): "the ordinary differential
// equation in state space form to which the partition can be transformed". Where constraints tie states together, that is
// index reduction, as in continuous time; with an analysis of its own, for these equations alone.

#include <fmt/format.h>

#include <utility>

#include "compiler/analyse/clock_equations.hpp"
#include "compiler/analyse/index_reduction.hpp"

namespace mosim::compiler::dae {

namespace {

class Reducer {
public:
  Reducer(Analysis& a, DiscretisedPartition& partition) : outer_(a), p_(partition) {}

  bool run() {
    const auto known = static_cast<std::uint32_t>(outer_.system.facts.size());
    flat::Model& model = outer_.system.model;
    Analysis a(std::move(model), outer_.sources, outer_.diagnostics);
    a.partition = p_.clock;
    a.system.user_variables = outer_.system.user_variables;
    a.system.facts = outer_.system.facts;
    a.system.base_clocks = outer_.system.base_clocks;
    a.system.sub_clocks = outer_.system.sub_clocks;
    give_kinds(a);
    collect(a);
    mark_states(a);
    bool changed = false;
    if (reduce(a, changed)) check(a);
    if (a.failed) changed = false, outer_.failed = true;
    if (changed) take(a);
    model = std::move(a.system.model);
    outer_.system.facts.resize(model.variables.size());
    for (std::size_t i = known; i < model.variables.size(); ++i) {
      VariableFacts& facts = outer_.system.facts[i];
      const VariableKind kind = changed ? a.system.facts[i].kind : VariableKind::gone;
      facts.kind = kind == VariableKind::state || kind == VariableKind::algebraic ? VariableKind::clocked : VariableKind::gone;
      facts.clock = facts.kind == VariableKind::clocked ? p_.clock : none;
      model.variables[i].variability = flat::Variability::discrete;
    }
    return changed;
  }

private:
  /// What the partition determines is unknown, all else is given.
  void give_kinds(Analysis& a) {
    for (std::uint32_t i = 0; i < a.system.facts.size(); ++i) {
      VariableFacts& facts = a.system.facts[i];
      if (facts.kind == VariableKind::clocked && facts.clock == p_.clock) {
        facts.kind = a.model().variables[i].type == BaseType::real ? VariableKind::algebraic : VariableKind::discrete;
        own_.push_back(static_cast<VariableId>(i));
      } else if (facts.kind == VariableKind::algebraic || facts.kind == VariableKind::discrete || facts.kind == VariableKind::clocked) {
        facts.kind = VariableKind::flag;
      }
    }
    std::vector<char> bound(a.system.facts.size(), 0);
    for (const auto& [e, in_when] : p_.equations)
      if (e.binding_of != VariableId::none) bound[index(e.binding_of)] = 1;
    for (VariableId v : own_)
      if (a.variable(v).causality == flat::Causality::input && !bound[index(v)]) a.fact(v).kind = VariableKind::input;
    for (VariableId v : p_.assigned) {
      a.fact(v).kind = VariableKind::flag;
      a.assigned_by[index(v)] = a.variable(v).place;
    }
  }

  void collect(Analysis& a) {
    for (std::uint32_t i = 0; i < p_.equations.size(); ++i) {
      const auto& [source, in_when] = p_.equations[i];
      Equation e;
      e.left = source.left;
      e.right = source.right;
      e.place = source.place;
      e.number = i;
      if (in_when && a.x().op(e.left) == Op::variable) {
        e.target = quantity(a.x().variable(e.left));
        a.fact(a.x().variable(e.left)).kind = VariableKind::discrete;
      }
      a.equations.push_back(e);
    }
  }

  void mark_states(Analysis& a) {
    const Expressions& x = a.x();
    const auto mark = [&](VariableId v) {
      if (a.fact(v).kind == VariableKind::algebraic) a.fact(v).kind = VariableKind::state;
    };
    for (VariableId v : p_.differentiated) mark(v);
    a.walker.restart();
    for (const Equation& e : a.equations)
      for (Expr side : {e.left, e.right})
        a.walker.more(side, [&](Expr n) {
          if (x.op(n) == Op::derivative) mark(x.variable(n));
          return true;
        });
  }

  /// stateSelect asks for other states than those under der().
  void find_wishes(Analysis& a) {
    for (VariableId v : own_) {
      const bool is_state = a.fact(v).kind == VariableKind::state;
      const auto select = a.variable(v).state_select;
      if (select == flat::StateSelect::always ? !is_state : select == flat::StateSelect::never && is_state) wishes_.push_back(v);
    }
  }

  /// False: nothing helps, and what is wrong with the equations is told of the discretised ones; or after an error.
  bool reduce(Analysis& a, bool& changed) {
    find_wishes(a);
    const bool must = !wishes_.empty();
    bool wished = false, reduced = false;
    constexpr int most_looks = 10;
    for (int looks = 0;;) {
      if (must && !std::exchange(wished, true)) wish(a, true, changed);
      Problem problem = make_problem(a);
      Matcher matching(problem.incidence, problem.unknowns.size());
      const bool complete = match(a, problem, matching);
      if (!reduced && ++looks <= most_looks && expose_constraints(a, problem, matching)) {
        changed = true;
        continue;
      }
      if (complete) return true;
      if (problem.equations.size() != problem.unknowns.size() || reduced) break;
      if (!std::exchange(wished, true)) {
        wish(a, false, changed);
        continue;
      }
      if (reduce_index(a, problem, matching)) {
        reduced = changed = true;
      } else {
        if (retreats_.empty()) break;
        a.restore(*retreats_.back().before);
        changed = retreats_.back().changed;
        retreats_.pop_back();
      }
    }
    if (must && a.failed) explain_wishes(a);
    changed = false;
    return false;
  }

  /// What shall be states by preference alone are, where what gives them has a derivative.
  void wish(Analysis& a, bool must, bool& changed) {
    const std::size_t given = a.equations.size();
    if (!must) retreats_.push_back({a.checkpoint(), changed});
    add_wanted_derivatives(a);
    if (a.before_velocities) {
      auto before = a.checkpoint();
      a.restore(*a.before_velocities);
      mark_states(a);
      retreats_.push_back({a.checkpoint(), true});
      a.restore(*before);
    }
    changed = changed || a.equations.size() > given;
    mark_states(a);
  }

  void explain_wishes(Analysis& a) {
    for (VariableId v : wishes_)
      a.diagnostics.back().notes.push_back({a.variable(v).place, fmt::format("{} has stateSelect = StateSelect.{}", a.name(v), a.variable(v).state_select == flat::StateSelect::always ? "always" : "never")});
  }

  void check(Analysis& a) {
    for (VariableId v : own_)
      if (index(v) < a.system.user_variables) check_state_select(a, v);
  }

  void take(Analysis& a) {
    std::vector<std::pair<flat::Equation, bool>> result;
    for (const Equation& e : a.equations) {
      std::pair<flat::Equation, bool> made;
      if (e.number != none) made = p_.equations[e.number];
      made.first.left = e.left;
      made.first.right = e.right;
      made.first.place = e.place;
      result.push_back(std::move(made));
    }
    p_.equations = std::move(result);
    p_.dummies = a.dummies;
    auto& done = outer_.system.reduction;
    auto& more = a.system.reduction;
    for (auto& d : more.differentiated) d.clock = p_.clock;
    done.differentiated.insert(done.differentiated.end(), more.differentiated.begin(), more.differentiated.end());
    done.demoted.insert(done.demoted.end(), more.demoted.begin(), more.demoted.end());
    done.promoted.insert(done.promoted.end(), more.promoted.begin(), more.promoted.end());
  }

  Analysis& outer_;
  DiscretisedPartition& p_;
  std::vector<VariableId> own_, wishes_;
  struct Retreat {
    std::shared_ptr<const Analysis::Checkpoint> before;
    bool changed;
  };
  std::vector<Retreat> retreats_;   // the last one first
};

}  // namespace

bool reduce_partition(Analysis& a, DiscretisedPartition& partition) { return Reducer(a, partition).run(); }

}  // namespace mosim::compiler::dae
