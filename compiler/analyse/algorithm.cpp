// Algorithms as equations: every assignment gets a variable of its own (static single assignment), under the condition
// of the branches around it. A branch that is not taken is not evaluated.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/analyse/analysis.hpp"
#include "compiler/analyse/outline.hpp"
#include "compiler/statements/execution.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_followed = 1000;   // rounds of a while loop
constexpr std::size_t most_carried_out = 300'000;   // statements of one algorithm

/// Carries out one algorithm. Its values hold on every way: each is chosen, under the condition of the way at hand, between what is
/// assigned and what was before.
class AlgorithmEquations {
public:
  AlgorithmEquations(Analysis& a, Normaliser& normalise, bool initial, std::uint32_t clock, std::vector<Equation>& equations)
      : a_(a), x_(a.x()), normalise_(normalise), initial_(initial), clock_(clock), equations_(equations),
        substitute_(a.x(), [this](Expr n) {
          if (x_.op(n) != Op::variable) return Expr::none;
          const auto it = values_.find(index(x_.variable(n)));
          return it == values_.end() ? Expr::none : it->second;
        }) {}

  void run(const flat::Algorithm& algorithm) {
    find_targets(algorithm.statements);
    for (const auto& [v, target] : targets_) values_[v] = before_first(static_cast<VariableId>(v));
    if (statements(algorithm.statements) == Flow::failed || !execution_.finish()) return;
    for (const auto& [number, target] : targets_) finish(static_cast<VariableId>(number), target);
  }

private:
  struct Target {
    Place place;
    bool in_when = false;
    bool of_array = false;   // not assigned itself
  };

  // ---- what carrying out its statements asks for ------------------------------------------------------------------

  friend Execution<AlgorithmEquations>;
  struct Values {};
  Values& values() { return no_values_; }
  std::optional<Values> joined(Expr, Values yes, const Values&, Place) { return yes; }
  std::optional<bool> known(Expr condition) {
    if (x_.op(condition) != Op::boolean) return {};
    return x_.payload(condition) != 0;
  }
  Expr both(Expr a, Expr b, Place place) { return named(a == Expr::none ? b : a_.logical(Op::and_, a, b), place); }
  Expr either(Expr a, Expr b, Place place) { return named(a_.logical(Op::or_, a, b), place); }
  Expr negation(Expr a, Place) { return a_.negation(a); }
  bool begins_round(Place) { return !a_.failed; }

  // ---- what is assigned -------------------------------------------------------------------------------------------

  void find_targets(const flat::Statements& list) {
    each_assignment(list, [&](const flat::Assignment& a, Place place, bool in_when) {
      const auto [it, fresh] = targets_.try_emplace(index(a.target), Target{place, in_when, a.of_array});
      if (!fresh) it->second.in_when = it->second.in_when && in_when;
    });
  }

  /// MLS 11.1.2.
  Expr before_first(VariableId v) {
    const VariableKind kind = a_.fact(v).kind;
    if (!initial_ && clock_ != none) return x_.of_variable(Op::previous, v, a_.variable(v).type);
    if (!initial_ && kind == VariableKind::discrete) return a_.pre(v);
    a_.rely_on_start(v);
    return a_.start(v);
  }

  void finish(VariableId v, const Target& target) {
    if (!initial_) {
      if (a_.fact(v).kind == VariableKind::constant || a_.fact(v).kind == VariableKind::parameter || a_.fact(v).kind == VariableKind::free_parameter) {
        a_.error(target.place, fmt::format("{} is assigned, but it is a {}", a_.name(v),
                                           a_.fact(v).kind == VariableKind::constant ? "constant" : "parameter"));
        return;
      }
      const auto [it, fresh] = a_.assigned_by.try_emplace(index(v), target.place);
      if (!fresh && (target.of_array || a_.assigned_with_array.contains(index(v)))) {
        if (std::any_of(a_.diagnostics.begin(), a_.diagnostics.end(), [&, it = it](const auto& d) { return d.place == target.place && !d.notes.empty() && d.notes.front().place == it->second; })) return;
        a_.error(target.place, fmt::format("{} is assigned in two places: an algorithm that assigns one element of an array initialises all of it (MLS 11.1.2)", a_.name(v)),
                 "put both into one algorithm", {{it->second, "the other one is here"}});
        return;
      }
      if (target.of_array) a_.assigned_with_array.insert(index(v));
      if (!fresh) {
        a_.error(target.place, fmt::format("{} is assigned in two places (when-clauses or algorithms)", a_.name(v)),
                 "put both into one algorithm", {{it->second, "the other one is here"}});
        return;
      }
    }
    Equation e;
    e.left = a_.value(v);
    e.right = values_[index(v)];
    e.target = initial_ ? Quantity::none : quantity(v);
    e.place = target.place;
    e.why = initial_ ? Why::initial_equation : Why::algorithm;
    e.clock = clock_;
    e.source_left = e.left;
    const auto source = sources_.find(index(v));
    e.source_right = target.of_array || source == sources_.end() ? before_first(v) : source->second;
    equations_.push_back(e);
  }

  // ---- expressions ------------------------------------------------------------------------------------------------

  /// With the values that variables have here. Events are found afterwards, so that relations cross on these values.
  Expr now(Expr e) {
    substitute_.forget();
    const Expr result = substitute_(e);
    if (clock_ != none) return fold(normalise_.clocked(result));
    return fold(initial_ ? normalise_.quiet(result) : normalise_(result));
  }

  /// Literals stay literals, so that loops can be followed.
  Expr fold(Expr e) {
    if (x_.children(e).empty()) return e;
    bool has_variable = false;
    a_.walker.each(e, [&](Expr n) {
      has_variable = has_variable || (x_.children(n).empty() && !x_.is_literal_leaf(n));
      return !has_variable;
    });
    if (has_variable) return e;
    const Expr value = a_.literal(e);
    return value == Expr::none ? e : value;
  }

  /// A leaf that stands for e.
  Expr named(Expr e, Place place) {
    if (x_.children(e).empty()) return e;
    if (const auto it = names_.find(index(e)); it != names_.end()) return a_.value(it->second);
    const VariableId v = temporary(e, x_.type(e), place, normalise_.varies(e) ? VariableKind::algebraic : VariableKind::discrete);
    names_.emplace(index(e), v);
    return a_.value(v);
  }

  VariableId temporary(Expr value, BaseType type, Place place, VariableKind kind) {
    // A free parameter is an unknown of the initial system alone.
    if (clock_ != none) kind = VariableKind::clocked;
    else if (initial_) kind = VariableKind::free_parameter;
    const VariableId v = a_.helper(fmt::format("$step{}", ++a_.step_count), type, kind, place, value);
    a_.fact(v).clock = clock_;
    Equation e;
    e.left = a_.value(v);
    e.right = value;
    e.target = quantity(v);
    e.place = place;
    e.why = Why::step;
    e.clock = clock_;
    equations_.push_back(e);
    return v;
  }

  void assign(VariableId v, Expr value, Expr source, Place place) {
    sources_[index(v)] = source;
    Expr result = value;
    if (execution_.path() != Expr::none) result = a_.choice(execution_.path(), value, values_[index(v)]);
    if (!x_.children(result).empty()) {
      const VariableId t = temporary(result, a_.variable(v).type, place, a_.fact(v).kind);
      a_.variable(t).enumeration = a_.variable(v).enumeration;
      result = a_.value(t);
    }
    values_[index(v)] = result;
  }

  // ---- statements -------------------------------------------------------------------------------------------------

  Flow statements(const flat::Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (a_.failed) return Flow::failed;
      const flat::Statement& s = list[i];
      Flow flow;
      if (const std::size_t n = code_from(list, i); n > 0) {
        flow = as_code({list.data() + i, n}, s.place);
        i += n - 1;
      } else if (++carried_out_ > most_carried_out) {
        a_.error(s.place, fmt::format("the loops of this algorithm come to more than {} statements", most_carried_out), "make its loops shorter");
        flow = Flow::failed;
      } else {
        flow = std::visit([&](const auto& node) { return statement(node, s.place); }, s.node);
      }
      if (flow != Flow::next) return flow;
    }
    return Flow::next;
  }

  /// How many statements from here on become code together. Where impure functions are called their order counts (MLS 12.3).
  std::size_t code_from(const flat::Statements& list, std::size_t first) {
    const bool in_order = initial_ || !branch_.empty();
    if (!needs_code(a_.model(), list[first], in_order)) return 0;
    std::size_t end = first + 1;
    for (std::size_t i = end; i < list.size() && !std::holds_alternative<flat::WhenStatement>(list[i].node); ++i)
      if (needs_code(a_.model(), list[i], in_order)) end = i + 1;
    const bool simple = std::holds_alternative<flat::Assignment>(list[first].node) || std::holds_alternative<flat::Assertion>(list[first].node);
    return end == first + 1 && simple ? 0 : end - first;
  }

  Flow as_code(std::span<const flat::Statement> list, Place place) {
    const Outlined code = outline(a_.model(), list, place);
    std::vector<Expr> arguments;
    for (Expr e : code.arguments) arguments.push_back(now(e));
    if (code.counts) arguments.push_back(x_.integer(0));
    const Expr call = x_.call(code.function, arguments, place);
    for (std::size_t k = 0; k < code.targets.size(); ++k)
      assign(code.targets[k], x_.result(call, static_cast<std::uint32_t>(k), a_.variable(code.targets[k]).type, place), x_.variable(code.targets[k], a_.variable(code.targets[k]).type), place);
    if (!code.targets.empty()) return Flow::next;
    return told({x_.returned(call, place), x_.string(""), false, place});
  }

  Flow statement(const flat::Assignment& s, Place place) {
    assign(s.target, now(s.value), s.value, place);
    return Flow::next;
  }

  Flow statement(const flat::IfStatement& s, Place place) {
    const auto condition = [&](std::size_t i) -> std::optional<Expr> {
      const Expr written = s.branches[i].condition;
      if (written == Expr::none) return Expr::none;
      // Where this statement is not reached, or a condition before it holds, it is not evaluated (E14).
      Expr holds = now(written);
      if (x_.op(holds) != Op::boolean && execution_.path() != Expr::none) holds = a_.logical(Op::and_, execution_.path(), holds);
      return named(holds, x_.place(written) ? x_.place(written) : place);
    };
    return execution_.branches(s.branches.size(), place, condition, [&](std::size_t i) { return statements(s.branches[i].body); });
  }

  Flow statement(const flat::UnrolledLoop& s, Place place) {
    return execution_.for_loop(s.iterations.size(), place, [&](std::size_t k) { return statements(s.iterations[k]); });
  }

  /// Followed as long as its condition is known; the rounds that the run alone knows, and those of a long loop, are code.
  Flow statement(const flat::WhileStatement& s, Place place) {
    using Rounds = Execution<AlgorithmEquations>::Rounds;
    const auto condition = [&](const Rounds&) -> std::optional<Expr> {
      const Expr holds = now(s.condition), literal = a_.literal(holds);
      return literal == Expr::none ? holds : literal;
    };
    const auto instead = [&](const Rounds& rounds) -> std::optional<Flow> {
      if (rounds.known && rounds.all < most_followed) return {};
      const flat::Statement rest{place, s};
      return as_code({&rest, 1}, place);
    };
    return execution_.while_loop(place, condition, instead, [&] { return statements(s.body); });
  }

  std::size_t carried_out_ = 0;

  Flow statement(const flat::WhenStatement& s, Place place) {
    if (initial_) {
      a_.error(place, "when stands in an initial algorithm (MLS 8.6)", "when-clauses belong into algorithm sections");
      return Flow::failed;
    }
    if (clock_ != none) {
      a_.error(place, "a when-statement in a clocked algorithm is not supported");
      return Flow::failed;
    }
    std::vector<std::uint32_t> branches;
    for (const auto& b : s.branches) {
      std::vector<Expr> conditions;
      for (Expr c : b.conditions) conditions.push_back(now(c));
      branches.push_back(make_branch(a_, conditions, b.conditions, b.place, branches, execution_.path()));
    }
    Flow flow = Flow::next;   // no more than one is active
    for (std::size_t i = 0; i < branches.size() && flow == Flow::next; ++i)
      flow = execution_.under(a_.value(a_.system.branches[branches[i]].active), place, [&] {
        branch_.push_back(branches[i]);
        const Flow within = statements(s.branches[i].body);
        branch_.pop_back();
        return within;
      });
    return flow;
  }

  // These stand in functions alone, or became one.
  Flow statement(const flat::LocalAssignment&, Place) { return Flow::next; }
  Flow statement(const flat::ElementAssignment&, Place) { return Flow::next; }
  Flow statement(const flat::ArrayCreation&, Place) { return Flow::next; }
  Flow statement(const flat::ItemAssignment&, Place) { return Flow::next; }
  Flow statement(const flat::ArrayAssignment&, Place) { return Flow::next; }
  Flow statement(const flat::Loop&, Place) { return Flow::next; }
  Flow statement(const flat::ExternalCall&, Place) { return Flow::next; }

  Flow statement(const flat::BreakStatement&, Place) { return Flow::broken; }
  Flow statement(const flat::ReturnStatement&, Place) { return Flow::returned; }

  Flow statement(const flat::Assertion& s, Place place) {
    flat::Assertion check = s;
    check.place = s.place ? s.place : place;
    check.condition = now(s.condition);
    check.message = now(s.message);
    return told(std::move(check));
  }

  Flow told(flat::Assertion check) {
    // One that fails for certain ends the run: what follows is not reached.
    const bool ends = !check.warning && x_.op(check.condition) == Op::boolean && !x_.payload(check.condition);
    if (branch_.empty()) {
      check.condition = asserted_on_way(x_, execution_.path(), check.condition, {});
      (initial_ ? a_.system.initial_assertions : a_.system.assertions).push_back(std::move(check));
    } else {
      effect(std::move(check));
    }
    return ends ? Flow::returned : Flow::next;
  }

  Flow statement(const flat::Termination& s, Place place) {
    effect(flat::Termination{now(s.message), s.place ? s.place : place});
    return Flow::next;
  }

  /// In the when-statement around, if there is one.
  void effect(decltype(WhenEffect::node) node) {
    WhenEffect effect;
    effect.branch = branch_.empty() ? none : branch_.back();
    effect.guard = execution_.path();
    effect.node = std::move(node);
    a_.system.effects.push_back(std::move(effect));
  }

  Analysis& a_;
  Expressions& x_;
  Normaliser& normalise_;
  bool initial_;
  std::uint32_t clock_;
  std::vector<Equation>& equations_;
  Rewriter substitute_;
  Execution<AlgorithmEquations> execution_{*this};
  Values no_values_;
  std::map<std::uint32_t, Target> targets_;            // ordered: the result must not depend on a hash
  std::unordered_map<std::uint32_t, Expr> values_;     // leaves: the value a variable has at this point
  std::unordered_map<std::uint32_t, Expr> sources_;
  std::unordered_map<std::uint32_t, VariableId> names_;
  std::vector<std::uint32_t> branch_;                  // of the when-statement around
};

}  // namespace

void collect_algorithms(Analysis& a, Normaliser& normalise) {
  for (std::size_t i = 0; i < a.model().algorithms.size(); ++i) {
    const flat::Algorithm algorithm = a.model().algorithms[i];
    const std::uint32_t clock = i < a.algorithm_clocks.size() ? a.algorithm_clocks[i] : none;
    AlgorithmEquations(a, normalise, false, clock, a.equations).run(algorithm);
  }
  for (std::size_t i = 0; i < a.model().initial_algorithms.size(); ++i) {
    const flat::Algorithm algorithm = a.model().initial_algorithms[i];
    AlgorithmEquations(a, normalise, true, none, a.initial_equations).run(algorithm);
  }
}

}  // namespace mosim::compiler::dae
