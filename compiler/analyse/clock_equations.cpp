// What stands for the clock operators, and the difference equations of discretised partitions (MLS 16.8).

#include "compiler/analyse/clock_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace mosim::compiler::dae {

namespace {

class Writer {
public:
  Writer(Analysis& a, ClockPartitions& partitions, const ClockedModel& found)
      : a_(a), x_(a.x()), partitions_(partitions), found_(found), rewrite_(a.x(), [this](Expr e) { return before(e); }) {}

  void run() {
    check_methods();
    if (!a_.failed) finish();
  }

private:
  bool varies(VariableId v) { return a_.model().variable(v).variability > flat::Variability::parameter; }

  void check_methods() {
    static constexpr const char* known[] = {"ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid"};
    for (const SubClock& clock : a_.system.sub_clocks) {
      if (clock.solver_method.empty()) continue;
      bool found = false;
      for (const char* name : known) found = found || clock.solver_method == name;
      if (!found)
        a_.error(clock.place, fmt::format("the solver method \"{}\" is not supported yet", clock.solver_method),
                 "use \"ExplicitEuler\", \"ImplicitEuler\" or \"ImplicitTrapezoid\"");
    }
  }

  VariableId flag_of(std::uint32_t clock, bool first) {
    SubClock& sub = a_.system.sub_clocks[clock];
    VariableId& v = first ? sub.first : sub.interval;
    if (v == VariableId::none) {
      const VariableId made = a_.helper(fmt::format("${}{}", first ? "firstTick" : "interval", clock + 1),
                                        first ? BaseType::boolean : BaseType::real, VariableKind::flag, sub.place, first ? "firstTick()" : "interval()");
      (first ? a_.system.sub_clocks[clock].first : a_.system.sub_clocks[clock].interval) = made;
      return made;
    }
    return v;
  }

  Expr before(Expr e) {
    const Op op = x_.op(e);
    switch (op) {
      case Op::hold: {
        const Expr u = x_.child(e, 0);
        return u;
      }
      case Op::sub_sample: case Op::super_sample: case Op::shift_sample: case Op::back_sample: case Op::no_clock: {
        const Expr u = x_.child(e, 0);
        const auto it = found_.converted.find(index(u));
        return it == found_.converted.end() ? u : a_.value(it->second);
      }
      case Op::sample_clocked: {
        if (clock_ == none) return x_.child(e, 0);
        const VariableId v = a_.helper(fmt::format("$sampled{}", a_.system.sampled.size() + 1), x_.type(e), VariableKind::flag, x_.place(e), e);
        // hold() may stand inside; nothing else that is clocked does.
        const std::uint32_t clock = clock_;
        Rewriter inner(x_, [this](Expr n) { return x_.op(n) == Op::hold ? x_.child(n, 0) : Expr::none; });
        a_.system.sampled.push_back({v, inner(x_.child(e, 0)), clock});
        return a_.value(v);
      }
      case Op::previous:
        // previous of a parameter is the parameter.
        return varies(x_.variable(e)) ? Expr::none : a_.value(x_.variable(e));
      case Op::interval: return clock_ == none ? Expr::none : a_.value(flag_of(clock_, false));
      case Op::first_tick: return clock_ == none ? Expr::none : a_.value(flag_of(clock_, true));
      case Op::derivative: {
        if (clock_ == none || (keeps_derivatives_ && !a_.system.sub_clocks[clock_].solver_method.empty())) return Expr::none;
        return a_.value(derivative_of(x_.variable(e)));
      }
      default: return Expr::none;
    }
  }

  /// der(x) in a discretised partition: a clocked variable; x follows from it by the solver method (MLS 16.8.2).
  VariableId derivative_of(VariableId state) {
    const auto [it, fresh] = derivatives_.try_emplace(index(state), VariableId::none);
    if (!fresh) return it->second;
    const VariableId slope = a_.helper("der(" + a_.variable(state).name + ")", BaseType::real, VariableKind::clocked, a_.variable(state).place);
    it->second = slope;
    a_.fact(slope).clock = clock_;
    const std::string method = a_.system.sub_clocks[clock_].solver_method;
    if (method.empty()) {
      const VariableId clocked = clocked_beside(state);
      const std::string name = fmt::format("der({})", a_.said(state));
      const Place clock = a_.system.sub_clocks[clock_].place;
      if (held_.contains(index(state)))
        a_.error(equation_ ? equation_->place : a_.variable(state).place, fmt::format("{} stands in a state of a state machine, whose equations hold at the ticks of a clock alone (MLS 17.1)", name),
                 "give the clock of the machine a method, with which the equation is integrated from tick to tick: Clock(c, solverMethod = \"ImplicitEuler\")");
      else if (clocked == VariableId::none && !a_.model().transitions.empty())
        a_.error(a_.variable(state).place, fmt::format("{} stands in a clocked partition without a solverMethod: state machines are clocked (MLS 17.1)", name),
                 fmt::format("where they use it write sample({}) to keep the equation continuous, or give the clock a method: Clock(c, solverMethod = \"ImplicitEuler\")", a_.said(state)),
                 {{clock, "the clock comes from here"}});
      else if (clocked == VariableId::none)
        a_.error(a_.variable(state).place, fmt::format("{} stands in a clocked partition without a solverMethod", name),
                 "use hold() to keep the equation continuous, or give the clock a method: Clock(c, solverMethod = \"ImplicitEuler\")",
                 {{clock, "the clock comes from here"}});
      else
        a_.error(equation_->place,
                 fmt::format("{}, which exists at the ticks of a clock alone, stands in the differential equation of {}", a_.name(clocked), a_.name(state)),
                 fmt::format("write hold({}) to keep the equation continuous, or give the clock a method: Clock(c, solverMethod = \"ImplicitEuler\")",
                             a_.said(clocked)),
                 {{clock, "the clock comes from here"}});
      return slope;
    }
    const Expr h = a_.value(flag_of(clock_, false)), first = a_.value(flag_of(clock_, true));
    const Expr before = x_.of_variable(Op::previous, state, BaseType::real);
    const Expr now = a_.value(slope), then = x_.of_variable(Op::previous, slope, BaseType::real);
    const auto sum = [&](Expr one, Expr two) { return x_.make(Op::add, BaseType::real, {one, two}); };
    const auto product = [&](Expr one, Expr two) { return x_.make(Op::multiply, BaseType::real, {one, two}); };
    Expr step = product(h, method == "ExplicitEuler" ? then : now);
    if (method == "ImplicitTrapezoid") step = product(product(x_.real(0.5), h), sum(now, then));
    flat::Equation e;
    e.left = a_.value(state);
    e.right = x_.make(Op::if_, BaseType::real, {first, before, sum(before, step)});
    // In a state of a state machine it is integrated while that is active, and begins anew where it is reset (MLS 17.3.3).
    if (const auto it = held_.find(index(state)); it != held_.end()) {
      const Expr active = a_.value(it->second.active), reset = a_.value(it->second.reset), anew = x_.make(Op::if_, BaseType::real, {reset, a_.start(state), e.right});
      e.right = x_.make(Op::if_, BaseType::real, {active, anew, before});
    }
    e.place = a_.variable(state).place;
    steps_.push_back({e, clock_});
    return slope;
  }

  /// A variable of the equation under way that is no state there.
  VariableId clocked_beside(VariableId state) {
    if (!equation_) return VariableId::none;
    std::vector<VariableId> states, others;
    Walker walker(x_);
    for (Expr side : {equation_->left, equation_->right})
      walker.each(side, [&](Expr e) {
        if (x_.op(e) == Op::derivative) states.push_back(x_.variable(e));
        if (x_.op(e) == Op::variable && x_.variable(e) != state && varies(x_.variable(e))) others.push_back(x_.variable(e));
        return true;
      });
    for (VariableId v : others)
      if (std::find(states.begin(), states.end(), v) == states.end()) return v;
    return VariableId::none;
  }

  /// How long it is since the first of so many ticks: in exact intervals of a regular clock, else `otherwise`.
  Expr intervals(Expr ticks, std::uint32_t clock, Expr otherwise) {
    const SubClock& sub = a_.system.sub_clocks[clock];
    const BaseClock& base = a_.system.base_clocks[sub.base];
    const Expr interval = base.kind == BaseClock::Kind::rational ? base.counter : base.interval;
    if (base.kind == BaseClock::Kind::event || base.varying || interval == Expr::none) return otherwise;
    const Expr passed = x_.make(Op::subtract, BaseType::integer, {ticks, x_.integer(1)});
    const Expr fine = x_.simplified(Op::multiply, BaseType::real, {x_.real(double(sub.factor)), passed});
    const Expr whole = x_.make(Op::multiply, BaseType::real, {fine, interval});
    const double parts = double(base.subdivision) * (base.kind == BaseClock::Kind::rational ? double(base.resolution) : 1);
    return parts == 1 ? whole : x_.make(Op::divide, BaseType::real, {whole, x_.real(parts)});
  }

  Expr rewritten(Expr e, std::uint32_t clock) {
    if (e == Expr::none) return e;
    clock_ = clock;
    rewrite_.forget();
    return rewrite_(e);
  }

  std::uint32_t clock_of_node(std::uint32_t node) { return partitions_.clocked(node) ? partitions_.clock_of(node) : none; }

  void finish() {
    flat::Model& model = a_.model();
    for (const flat::Transition& t : model.transitions) a_.fact(t.fired).pinned = true;
    for (const flat::StateSeconds& s : model.state_seconds) seconds_[index(s.variable)] = s.ticks;
    for (const flat::HeldState& h : model.held_states) held_[index(h.variable)] = h;
    const std::size_t variables = found_.variable_node.size();
    for (std::size_t i = 0; i < variables; ++i) {
      VariableFacts& facts = a_.system.facts[i];
      if (model.variables[i].variability <= flat::Variability::parameter) continue;
      if (model.variables[i].type == BaseType::clock) {
        facts.kind = VariableKind::gone;
        continue;
      }
      if (!partitions_.clocked(found_.variable_node[i])) continue;
      facts.kind = VariableKind::clocked;
      facts.clock = partitions_.clock_of(found_.variable_node[i]);
    }
    std::vector<flat::Equation> equations;
    std::vector<char> in_when;
    a_.equation_clocks.clear();
    keeps_derivatives_ = true;
    const auto take = [&](flat::Equation e, std::uint32_t clock, bool of_when = false) {
      const flat::Equation given = e;
      equation_ = &given;
      const auto counted = x_.op(given.left) == Op::variable && clock != none ? seconds_.find(index(x_.variable(given.left))) : seconds_.end();
      if (counted != seconds_.end()) e.right = intervals(counted->second, clock, given.right);
      e.left = rewritten(given.left, clock);
      e.right = rewritten(e.right, clock);
      equation_ = nullptr;
      equations.push_back(e);
      in_when.push_back(of_when);
      a_.equation_clocks.push_back(clock);
    };
    const std::size_t given = model.equations.size();
    for (std::size_t i = 0; i < given; ++i) {
      const flat::Equation e = model.equations[i];
      if (x_.type(e.left) == BaseType::clock || x_.type(e.right) == BaseType::clock) continue;
      take(e, clock_of_node(found_.equation_node[i]));
    }
    for (const ClockedModel::Extra& extra : found_.extra) take(extra.equation, extra.node == none ? none : clock_of_node(extra.node), true);
    keeps_derivatives_ = false;
    discretise(equations, in_when);
    if (a_.failed) return;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      equations.push_back(steps_[i].equation);
      a_.equation_clocks.push_back(steps_[i].clock);
    }
    model.equations = std::move(equations);
    for (std::size_t i = 0; i < model.algorithms.size(); ++i) {
      const std::uint32_t clock = clock_of_node(found_.algorithm_node[i]);
      a_.algorithm_clocks.push_back(clock);
      each_expression(model.algorithms[i].statements, [&](Expr& e) { e = rewritten(e, clock); });
    }
    for (auto& when : model.whens)
      for (auto& b : when.branches) {
        for (Expr& c : b.conditions) c = rewritten(c, none);
        for (auto& action : b.body) {
          action.guard = rewritten(action.guard, none);
          if (auto* set = std::get_if<flat::WhenAssignment>(&action.node)) set->value = rewritten(set->value, none);
          if (auto* r = std::get_if<flat::Reinit>(&action.node)) r->value = rewritten(r->value, none);
        }
      }
    for (auto& check : model.assertions) check.condition = rewritten(check.condition, none);
    for (auto& e : model.initial_equations) {
      e.left = rewritten(e.left, none);
      e.right = rewritten(e.right, none);
    }
    if (!a_.failed)
      for (std::size_t i = 0; i < variables; ++i) warn_of_starts(static_cast<VariableId>(i));
    for (const auto& [action, node] : found_.guarded) {
      WhenEffect effect;
      effect.branch = none;
      effect.guard = a_.value(a_.system.sub_clocks[clock_of_node(node)].tick);
      if (action.guard != Expr::none) effect.guard = a_.logical(Op::and_, effect.guard, rewritten(action.guard, clock_of_node(node)));
      if (const auto* check = std::get_if<flat::Assertion>(&action.node)) {
        flat::Assertion copy = *check;
        copy.condition = rewritten(copy.condition, clock_of_node(node));
        copy.message = rewritten(copy.message, clock_of_node(node));
        effect.node = copy;
      } else {
        flat::Termination copy = std::get<flat::Termination>(action.node);
        copy.message = rewritten(copy.message, clock_of_node(node));
        effect.node = copy;
      }
      a_.system.effects.push_back(std::move(effect));
    }
  }

  /// The equations of partitions with a method, ordinary differential equations first, and then without der().
  void discretise(std::vector<flat::Equation>& equations, std::vector<char>& in_when) {
    const auto derivatives_in = [&](Expr e, auto&& visit) {
      a_.walker.each(e, [&](Expr n) {
        if (x_.op(n) == Op::derivative) visit(x_.variable(n));
        return true;
      });
    };
    std::vector<std::uint32_t> clocks;
    const auto note = [&](std::uint32_t clock) {
      if (std::find(clocks.begin(), clocks.end(), clock) == clocks.end()) clocks.push_back(clock);
    };
    for (std::size_t i = 0; i < equations.size(); ++i) {
      const std::uint32_t clock = a_.equation_clocks[i];
      if (clock != none && !a_.system.sub_clocks[clock].solver_method.empty())
        for (Expr side : {equations[i].left, equations[i].right}) derivatives_in(side, [&](VariableId) { note(clock); });
    }
    for (const std::uint32_t clock : clocks) {
      DiscretisedPartition partition;
      partition.clock = clock;
      for (std::size_t i = 0; i < equations.size(); ++i)
        if (a_.equation_clocks[i] == clock) partition.equations.emplace_back(equations[i], in_when[i] != 0);
      flat::Model& model = a_.model();
      for (std::size_t i = 0; i < model.algorithms.size(); ++i) {
        if (clock_of_node(found_.algorithm_node[i]) != clock) continue;
        each_target(model.algorithms[i].statements, [&](VariableId v) { partition.assigned.push_back(v); });
        each_expression(model.algorithms[i].statements, [&](Expr& e) { derivatives_in(e, [&](VariableId v) { partition.differentiated.push_back(v); }); });
      }
      for (const auto& [action, node] : found_.guarded)
        if (const auto* check = std::get_if<flat::Assertion>(&action.node); check && clock_of_node(node) == clock)
          derivatives_in(check->condition, [&](VariableId v) { partition.differentiated.push_back(v); });
      const bool changed = reduce_partition(a_, partition);
      if (a_.failed) return;
      if (changed) replace(equations, in_when, partition);
    }
    for (std::size_t i = 0; i < equations.size(); ++i) {
      const std::uint32_t clock = a_.equation_clocks[i];
      if (clock == none || a_.system.sub_clocks[clock].solver_method.empty()) continue;
      equations[i].left = rewritten(equations[i].left, clock);
      equations[i].right = rewritten(equations[i].right, clock);
    }
  }

  void replace(std::vector<flat::Equation>& equations, std::vector<char>& in_when, const DiscretisedPartition& partition) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < equations.size(); ++i) {
      if (a_.equation_clocks[i] == partition.clock) continue;
      equations[kept] = equations[i];
      in_when[kept] = in_when[i];
      a_.equation_clocks[kept++] = a_.equation_clocks[i];
    }
    equations.resize(kept);
    in_when.resize(kept);
    a_.equation_clocks.resize(kept);
    for (const auto& [e, of_when] : partition.equations) {
      equations.push_back(e);
      in_when.push_back(of_when);
      a_.equation_clocks.push_back(partition.clock);
    }
    derivatives_.insert(partition.dummies.begin(), partition.dummies.end());
    for (const auto& [v, derivative] : partition.dummies) dummies_.insert(v);
  }

  /// MLS 16.9: what previous() is applied to is fixed, as the states of a discretised partition are, and nothing else.
  void warn_of_starts(VariableId v) {
    const flat::Variable& variable = a_.variable(v);
    if (a_.fact(v).kind != VariableKind::clocked) return;
    if (variable.start_set && dummies_.contains(index(v)))
      a_.warning(variable.start_set, fmt::format("the start value of {} that is set here has no effect: the other states of its clocked partition determine it", variable.name));
    const bool discretised = !a_.system.sub_clocks[a_.fact(v).clock].solver_method.empty();
    if (variable.fixed == Expr::none || (discretised && !a_.is_fixed(v))) return;
    const auto it = derivatives_.find(index(v));
    if (it == derivatives_.end())
      a_.warning(variable.place, fmt::format("fixed has no effect on the clocked variable `{}` (MLS 16.9)", variable.name));
    else if (dummies_.contains(index(v)))
      a_.warning(variable.place, fmt::format("the start value of `{}` does not count, though it is fixed: the other states of its clocked partition determine it", variable.name),
                 "if it shall count, and that of another one follow from it, write stateSelect = StateSelect.always here");
  }

  Analysis& a_;
  Expressions& x_;
  ClockPartitions& partitions_;
  const ClockedModel& found_;
  Rewriter rewrite_;
  bool keeps_derivatives_ = false;    // for index reduction
  std::uint32_t clock_ = none;        // of the equation that is being rewritten
  const flat::Equation* equation_ = nullptr;   // that one, if it is an equation
  std::unordered_map<std::uint32_t, VariableId> derivatives_;
  std::unordered_set<std::uint32_t> dummies_;   // those of these that are no states
  struct Step {
    flat::Equation equation;
    std::uint32_t clock;
  };
  std::vector<Step> steps_;
  std::unordered_map<std::uint32_t, flat::HeldState> held_;   // by variable
  std::unordered_map<std::uint32_t, Expr> seconds_;           // by variable: the ticks that it counts
};

}  // namespace

void write_clocked_equations(Analysis& a, ClockPartitions& partitions, const ClockedModel& found) {
  Writer(a, partitions, found).run();
}

}  // namespace mosim::compiler::dae
