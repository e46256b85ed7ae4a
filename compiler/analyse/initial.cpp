// The initial system (E9, MLS 8.6): all equations as they hold at the first instant, initial equations, fixed start
// values, and as many start values more as it takes.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <set>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

class InitialSystem {
public:
  explicit InitialSystem(Analysis& a)
      : a_(a), x_(a.x()), initially_(
                              a.x(),
                              [this](Expr e) {
                                if (x_.op(e) == Op::initial) return x_.boolean(true);
                                if (x_.op(e) != Op::variable) return Expr::none;
                                const auto it = active_.find(index(x_.variable(e)));
                                return it == active_.end() ? Expr::none : x_.boolean(it->second);
                              },
                              // Before the first instant there is no past.
                              [this](Expr e, Expr) {
                                if (x_.op(e) == Op::delay) return x_.child(e, 0);
                                if (x_.op(e) != Op::spatial_distribution) return e;
                                const std::size_t n = (x_.children(e).size() - 5) / 2;
                                return x_.child(e, 5 + n + (x_.integer_value(x_.child(e, 4)) == 0 ? 0 : n - 1));
                              }) {}

  void run() {
    if (goes_on_from_starts()) return begin_with_starts();
    collect_model_equations();
    const auto model = static_cast<std::uint32_t>(problem_.equations.size());
    collect_initial_equations();
    if (a_.failed) return;
    collect_fixed_starts();
    const auto mandatory = static_cast<std::uint32_t>(problem_.equations.size());
    collect_unknowns();
    collect_candidates();

    find_incidence(a_, problem_);
    std::optional<Matcher> first(std::in_place, problem_.incidence, problem_.unknowns.size());
    // The equations of the model come first: what else competes is what must go.
    first->reduce(0, model);
    const auto again = [&](std::uint32_t e) {
      find_incidence(a_, problem_);
      first.emplace(problem_.incidence, problem_.unknowns.size());
      first->reduce(0, model);
      for (std::uint32_t before = 0; before < e; ++before) (void)first->augment(before);
      return first->augment(e);
    };
    for (std::uint32_t e = 0; e < mandatory; ++e) {
      if (first->augment(e)) continue;
      if (release_algorithms(a_, problem_.equations, true) && again(e)) continue;
      if (leave_out_hold(first->competition(e).equations, e, again)) continue;
      if (!is_checked_instead(*first, e)) too_much(*first, e);
    }
    Matcher& matching = *first;
    if (a_.failed) return;
    for (std::uint32_t e = mandatory; e < problem_.equations.size(); ++e) {
      if (!matching.augment(e)) continue;
      const Quantity q = problem_.equations[e].target;
      if (part(q) == Part::value) a_.system.assumed_starts.push_back({variable(q)});
    }
    for (std::uint32_t u = 0; u < problem_.unknowns.size(); ++u)
      if (matching.equation_of(u) == unmatched)
        a_.error(a_.variable(variable(problem_.unknowns[u])).place,
                 "nothing determines the initial value of " + a_.name(problem_.unknowns[u]));
    if (a_.failed) return;
    check_set_starts(matching);
    if (a_.failed) return;
    std::vector<std::uint32_t> members;
    for (std::uint32_t e = 0; e < problem_.equations.size(); ++e)
      if (matching.unknown_of(e) != unmatched) members.push_back(e);
    a_.system.initial = make_schedule(a_, problem_, matching, members, Phase::initial, true);
    if (!a_.failed) place_start_values(a_, problem_, a_.system.initial);
  }

private:
  /// Whether all is found from the states as at an event, and they begin with their start values and nothing else: no equation is another one at
  /// the first instant, and there is nothing to be found that an event finds by other means, or not at all.
  bool goes_on_from_starts() {
    const System& s = a_.system;
    const bool plain = a_.initial_equations.empty() && s.relations.empty() && s.event_functions.empty() && s.samples.empty() && s.delays.empty() && s.spatial_distributions.empty() &&
                       s.branches.empty() && s.effects.empty() && s.base_clocks.empty() && s.state_sets.empty() && s.pre.empty() && s.pre_of_helpers.empty() && s.assertions.empty() &&
                       s.initial_assertions.empty() && s.reduction.differentiated.empty() && s.event.iterations.empty();
    if (!plain) return false;
    for (const Equation& e : a_.equations)
      for (Expr side : {e.left, e.right})
        if (x_.holds(side, contents::special | contents::past | contents::call)) return false;
    for (const Block& b : s.event.blocks)
      if (!b.unknowns().empty() && !b.linear()) return false;
    for (std::uint32_t i = 0; i < a_.model().variables.size(); ++i) {
      const auto v = static_cast<VariableId>(i);
      switch (a_.fact(v).kind) {
        case VariableKind::free_parameter: case VariableKind::discrete: case VariableKind::clocked: case VariableKind::flag: return false;
        case VariableKind::algebraic:
          if (a_.is_fixed(v)) return false;
          break;
        default: break;
      }
      const flat::Variable& variable = a_.variable(v);
      if (variable.start_set || (variable.start != Expr::none && variability(a_.model(), variable.start) > flat::Variability::parameter)) return false;
    }
    return true;
  }

  void begin_with_starts() {
    Schedule& initial = a_.system.initial;
    const auto each_state = [&](auto&& visit) {
      for (std::uint32_t i = 0; i < a_.model().variables.size(); ++i)
        if (const auto v = static_cast<VariableId>(i); a_.fact(v).kind == VariableKind::state) visit(v);
    };
    initial.equations.reserve(a_.system.states.size());
    initial.blocks.reserve(a_.system.states.size());
    each_state([&](VariableId v) {
      const Equation e = start_equation(v, Part::value);
      initial.blocks.emplace_back(Solved{e.target, e.right, static_cast<std::uint32_t>(initial.equations.size())});
      initial.equations.push_back(e);
    });
    // In the order in which they are taken where there is more to choose from: see collect_candidates().
    for (const bool given : {true, false})
      each_state([&](VariableId v) {
        if (!a_.is_fixed(v) && (a_.variable(v).start != Expr::none) == given) a_.system.assumed_starts.push_back({v});
      });
    a_.system.initial_goes_on = true;
  }

  void collect_model_equations() {
    for (const Branch& b : a_.system.branches) active_[index(b.active)] = b.active_initially;
    if (active_.empty()) initially_.look_for(contents::past | contents::special);
    for (const Equation& source : a_.equations) {
      if (source.clock != none) continue;   // clocked partitions begin with their first tick
      Equation e = source;
      if (e.why == Why::active) {
        e.right = x_.boolean(active_[index(variable(e.target))]);
      } else {
        e.left = initially_(e.left);
        e.right = initially_(e.right);
        if (e.guard != Expr::none) e.guard = initially_(e.guard);
        // v = pre(v), where no when-clause is active: an initial equation for v gives pre(v) (MLS 8.6).
        const bool rounds = e.why == Why::relation || e.why == Why::event_function;
        if (!rounds && (x_.op(e.right) == Op::pre || x_.op(e.right) == Op::variable)) e.target = Quantity::none;
      }
      problem_.equations.push_back(e);
    }
  }

  void collect_initial_equations() {
    for (Equation e : a_.initial_equations) {
      if (!is_of_continuous_time(e)) continue;
      e.left = initially_(e.left);
      e.right = initially_(e.right);
      // What connected components both say may have become the same.
      const bool opposite = x_.op(e.left) == Op::negate && x_.is_number(e.right) && x_.number(e.right) == 0;
      if (!known_.insert({opposite ? x_.child(e.left, 0) : e.left, e.right}).second) continue;
      problem_.equations.push_back(e);
    }
    // reinit under `when initial()` is an initial equation.
    for (const WhenEffect& effect : a_.system.effects) {
      const auto* r = std::get_if<flat::Reinit>(&effect.node);
      if (!r || !a_.system.active_initially(effect)) continue;
      if (effect.guard != Expr::none) {
        const Expr guard = a_.literal(initially_(effect.guard));
        if (guard == Expr::none || x_.op(guard) != Op::boolean) {
          a_.error(r->place, "whether this reinit holds at initialisation is not known before the run",
                   "its condition must be one of parameters (MLS 8.6)");
          continue;
        }
        if (x_.payload(guard) == 0) continue;
      }
      Equation e;
      e.left = a_.value(r->state);
      e.right = initially_(r->value);
      e.place = r->place;
      e.why = Why::reinit;
      e.source_left = e.left;
      e.source_right = r->value;
      problem_.equations.push_back(e);
    }
  }

  /// Clocked partitions begin at their first tick, with start values (MLS 16.9).
  bool is_of_continuous_time(const Equation& e) {
    VariableId clocked = VariableId::none;
    Walker walker(x_);
    for (Expr side : {e.left, e.right})
      walker.more(side, [&](Expr n) {
        const Quantity q = quantity_of(x_, n);
        if (q != Quantity::none && a_.fact(variable(q)).kind == VariableKind::clocked) clocked = variable(q);
        return true;
      });
    if (clocked == VariableId::none) return true;
    const SubClock& clock = a_.system.sub_clocks[a_.fact(clocked).clock];
    std::vector<parser::Note> notes{{clock.place, "its clock"}};
    if (clock.solver_method.empty())
      a_.error(e.place, fmt::format("{} is clocked and cannot stand in an initial equation", a_.name(clocked)),
               "give it a start value: it is used at the first tick", std::move(notes));
    else
      a_.warning(e.place, fmt::format("this initial equation is not used: {} is clocked, and begins with its start value", a_.name(clocked)),
                 "set start values of the states in its partition", std::move(notes));
    return false;
  }

  Equation start_equation(VariableId v, Part what) {
    Equation e;
    e.left = a_.leaf(quantity(v, what));
    e.right = a_.start(v);
    e.target = quantity(v, what);
    e.place = a_.variable(v).place;
    e.why = Why::start;
    e.source_left = e.left;
    e.source_right = e.right;
    return e;
  }

  void collect_fixed_starts() {
    find_pre();
    for (std::uint32_t i = 0; i < a_.model().variables.size(); ++i) {
      const auto v = static_cast<VariableId>(i);
      const VariableKind kind = a_.fact(v).kind;
      if (kind == VariableKind::discrete && pre_[i] && a_.is_fixed(v)) problem_.equations.push_back(start_equation(v, Part::pre));
      // An initial algorithm may have set it to just that, with the rest of its array.
      if ((kind == VariableKind::state || kind == VariableKind::algebraic) && a_.is_fixed(v)) {
        const Equation e = start_equation(v, Part::value);
        if (known_.contains({e.left, e.right})) a_.rely_on_start(v);
        else problem_.equations.push_back(e);
      }
      // Nothing else gives these a value before the first tick, or at all.
      if (starts_late(v)) problem_.equations.push_back(start_equation(v, Part::value));
      // The left limit of a continuous variable is its value; nothing else is known of an input before the start.
      if ((kind == VariableKind::state || kind == VariableKind::algebraic || kind == VariableKind::input) && pre_[i]) {
        Equation e;
        e.left = a_.pre(v);
        e.right = a_.value(v);
        e.target = quantity(v, Part::pre);
        e.place = a_.variable(v).place;
        e.why = Why::pre;
        problem_.equations.push_back(e);
      }
    }
  }

  /// An input or a clocked variable keeps its start value; one that depends on parameters to be found is found with them.
  bool starts_late(VariableId v) {
    const VariableKind kind = a_.fact(v).kind;
    if ((kind != VariableKind::input && kind != VariableKind::clocked) || a_.variable(v).start == Expr::none) return false;
    bool late = false;
    a_.walker.each(a_.variable(v).start, [&](Expr e) {
      late = late || (x_.op(e) == Op::variable && a_.fact(x_.variable(e)).kind == VariableKind::free_parameter);
      return !late;
    });
    return late;
  }

  /// pre(v) of which variables is an unknown: where it stands in an equation or will be wanted at the first event.
  void find_pre() {
    pre_.assign(a_.model().variables.size(), 0);
    Walker walker(x_);
    for (const Equation& e : problem_.equations)
      for (Expr side : {e.left, e.right})
        if (x_.holds(side, contents::past)) walker.more(side, [&](Expr n) {
          if (x_.op(n) == Op::pre) pre_[index(x_.variable(n))] = 1;
          return true;
        });
    for (VariableId v : a_.system.pre) pre_[index(v)] = 1;
    // Conditions and held relations begin with what they are.
    for (VariableId v : a_.system.pre_of_helpers)
      if (index(v) >= a_.system.user_variables) pre_[index(v)] = 0;
  }

  void collect_unknowns() {
    for (std::uint32_t i = 0; i < a_.model().variables.size(); ++i) {
      const auto v = static_cast<VariableId>(i);
      switch (a_.fact(v).kind) {
        case VariableKind::state:
          problem_.add_unknown(quantity(v));
          problem_.add_unknown(quantity(v, Part::derivative));
          break;
        case VariableKind::algebraic: case VariableKind::discrete: case VariableKind::free_parameter: problem_.add_unknown(quantity(v)); break;
        case VariableKind::input: case VariableKind::clocked:
          if (starts_late(v)) problem_.add_unknown(quantity(v));
          if (a_.fact(v).kind == VariableKind::input) break;
          continue;
        default: continue;
      }
      if (pre_[i]) problem_.add_unknown(quantity(v, Part::pre));
    }
  }

  void collect_candidates() {
    const std::uint32_t n = static_cast<std::uint32_t>(a_.model().variables.size());
    const auto each = [&](auto&& wanted, Part what) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const auto v = static_cast<VariableId>(i);
        if (wanted(v)) problem_.equations.push_back(start_equation(v, what));
      }
    };
    const auto given = [&](VariableId v) { return a_.variable(v).start != Expr::none && !a_.sums.contains(index(v)); };
    // A state of a set is another's value: that one's start counts.
    std::unordered_map<std::uint32_t, bool> counts;
    for (const StateSet& set : a_.system.state_sets)
      for (const StateSet::Level& level : set.levels)
        for (std::size_t i = 0; i < level.states.size(); ++i) {
          counts[index(level.states[i])] = false;
          counts[index(level.candidates[set.chosen[i]])] = true;
        }
    const auto is_state = [&](VariableId v) {
      const auto it = counts.find(index(v));
      return it == counts.end() ? a_.fact(v).kind == VariableKind::state : it->second;
    };
    each([&](VariableId v) { return a_.fact(v).kind == VariableKind::discrete && pre_[index(v)]; }, Part::pre);
    each([&](VariableId v) { return is_state(v) && given(v); }, Part::value);
    each([&](VariableId v) { return is_state(v) && !given(v); }, Part::value);
    each([&](VariableId v) { return a_.fact(v).kind == VariableKind::algebraic && given(v); }, Part::value);
    each([&](VariableId v) { return a_.fact(v).kind == VariableKind::algebraic && !given(v); }, Part::value);
    each([&](VariableId v) { return a_.fact(v).kind == VariableKind::free_parameter; }, Part::value);
  }

  /// v = pre(v) holds at initialisation where no when-clause for v is active (MLS 8.6). Initial equations that give v and pre(v) each, as IBPSA
  /// and the Buildings library have them, leave no room for it; other tools take them.
  bool leave_out_hold(const std::vector<std::uint32_t>& competing, std::uint32_t number, const std::function<bool(std::uint32_t)>& again) {
    const auto is_given = [&](const Equation& e) { return e.why == Why::start || e.why == Why::initial_equation; };
    if (!is_given(problem_.equations[number])) return false;
    for (const std::uint32_t k : competing) {
      const Equation hold = problem_.equations[k];
      if (hold.why != Why::when || x_.op(hold.left) != Op::variable || x_.op(hold.right) != Op::pre || x_.variable(hold.left) != x_.variable(hold.right)) continue;
      const bool alone = std::any_of(competing.begin(), competing.end(), [&](std::uint32_t other) {
        const Equation& e = problem_.equations[other];
        return is_given(e) && (e.left == hold.left || e.right == hold.left);
      });
      if (!alone) continue;
      problem_.equations[k].right = hold.left;
      if (again(number)) {
        const std::string name = a_.name(x_.variable(hold.left));
        a_.warning(problem_.equations[number].place, fmt::format("{0} and pre({0}) are both given at the start: that nothing changes it there, {0} = pre({0}), is left out", name),
                   "give one of the two", {{hold.place, "no when-clause for it holds at the start"}});
        return true;
      }
      problem_.equations[k] = hold;
      (void)again(number);
    }
    return false;
  }
  /// Constraints between states tie their initial values as well: what says too much about them then may still be
  /// consistent, and is checked instead (MLS 8.6 lets it be removed with a diagnostic).
  bool is_checked_instead(const Matcher& matching, std::uint32_t number) {
    const Equation e = problem_.equations[number];
    if (e.why != Why::start && e.why != Why::initial_equation) return false;
    if (e.why == Why::start) a_.rely_on_start(variable(e.target));
    if (e.left == e.right && e.why == Why::initial_equation) {   // of two names for one variable, say
      a_.warning(e.place, "the initial equation " + describe(e) + " says nothing: both sides are the same", "remove it");
      return true;
    }
    if (x_.type(e.left) != BaseType::real) return is_said_again(matching, number);
    const auto& differentiated = a_.system.reduction.differentiated;
    if (std::all_of(differentiated.begin(), differentiated.end(), [](const auto& d) { return d.clock != none; })) return false;
    const auto make = [&](Op op, Expr p, Expr q) { return x_.simplified(op, BaseType::real, {p, q}); };
    const Expr distance = x_.make(Op::abs, BaseType::real, {make(Op::subtract, e.left, e.right)});
    const Expr size = x_.make(Op::abs, BaseType::real, {e.right});
    const double nominal = e.why == Why::start ? a_.nominal(variable(e.target)) : 1;
    const Expr bound = make(Op::multiply, x_.real(largest_contradiction), make(Op::add, x_.real(nominal), size));
    const std::string what = describe(e);
    flat::Assertion check;
    check.condition = x_.make(Op::less_equal, BaseType::boolean, {distance, bound}, e.place, true);
    check.message = x_.string("the initial condition " + what + " contradicts the constraints between states and the other initial conditions");
    check.place = e.place;
    check.ours = true;
    a_.system.initial_assertions.push_back(check);
    if (e.why == Why::start) a_.system.checked_starts.push_back(variable(e.target));
    a_.warning(e.place, "the initial condition " + what + " is one too many: constraints between states give it already; it is only checked");
    return true;
  }
  /// Connected blocks may each say what pre(v) of one signal is, as those of the standard library do.
  bool is_said_again(const Matcher& matching, std::uint32_t number) {
    const Equation e = problem_.equations[number];
    const auto competition = matching.competition(number);
    const auto discrete = [&](std::uint32_t u) { return x_.type(a_.leaf(problem_.unknowns[u])) != BaseType::real; };
    const auto before = [&](std::uint32_t u) { return part(problem_.unknowns[u]) == Part::pre; };
    if (!std::all_of(competition.unknowns.begin(), competition.unknowns.end(), discrete) || std::none_of(competition.unknowns.begin(), competition.unknowns.end(), before)) return false;
    flat::Assertion check;
    check.condition = x_.make(Op::equal, BaseType::boolean, {e.left, e.right}, e.place, true);
    check.message = x_.string("the initial condition " + describe(e) + " contradicts another one of the same signal");
    check.place = e.place;
    check.ours = true;
    a_.system.initial_assertions.push_back(check);
    std::vector<parser::Note> notes;
    for (const std::uint32_t other : competition.equations)
      if (other != number) notes.push_back({problem_.equations[other].place, "the other one: " + describe(problem_.equations[other])});
    a_.warning(e.place, "the initial condition " + describe(e) + " is one too many: another one gives it already; it is only checked", "remove one of them", std::move(notes));
    return true;
  }
  static constexpr double largest_contradiction = 1e-6;   // relative to the nominal value

  /// A start value set from outside must count: what nobody asks for is no place to set a value.
  void check_set_starts(const Matcher& matching) {
    for (std::uint32_t i = 0; i < a_.model().variables.size(); ++i) {
      const flat::Variable& set = a_.model().variables[i];
      if (!set.start_set) continue;
      auto v = static_cast<VariableId>(i);
      const bool alias = a_.fact(v).kind == VariableKind::alias;
      if (alias) v = a_.fact(v).alias_of;
      const VariableKind kind = a_.fact(v).kind;
      if (kind == VariableKind::input || kind == VariableKind::clocked || kind == VariableKind::free_parameter) continue;
      bool counts = false;
      for (std::uint32_t e = 0; e < problem_.equations.size() && !counts; ++e)
        counts = problem_.equations[e].why == Why::start && matching.unknown_of(e) != unmatched && variable(problem_.equations[e].target) == v;
      if (counts && (!alias || a_.variable(v).start == set.start)) continue;
      std::string by;
      std::vector<parser::Note> notes;
      if (const std::uint32_t u = problem_.number_of(quantity(v)); u != unmatched && matching.equation_of(u) != unmatched) {
        const Equation& e = problem_.equations[matching.equation_of(u)];
        by = describe(e);
        notes.push_back({e.place, e.why == Why::initial_equation ? "this initial equation gives it" : "this gives it"});
      }
      if (!set.start_declared && kind != VariableKind::state && !counts)
        a_.error(set.start_set, fmt::format("{} cannot be set: it is no parameter, and follows from other variables at all times", set.name),
                 "set a parameter, or the start value of a state", std::move(notes));
      else
        a_.warning(set.start_set, fmt::format("the start value of {} that is set here {}", set.name,
                                              kind == VariableKind::state || kind == VariableKind::discrete ? "has no effect: another equation gives its initial value"
                                                                                            : "is no more than a first guess: its equation gives the value"),
                   by.empty() ? "" : fmt::format("change what stands in `{}`", by), std::move(notes));
    }
  }

  std::string describe(const Equation& q) {
    if (q.why == Why::start)
      return fmt::format("{}(start = {}, fixed = true)", print(a_.model(), q.left), print(a_.model(), q.right));
    return a_.text(q);
  }

  void too_much(const Matcher& matching, std::uint32_t e) {
    const auto competition = without_sums(a_, problem_, matching.competition(e));
    std::vector<std::string> names;
    for (std::uint32_t u : competition.unknowns) names.push_back(a_.name(problem_.unknowns[u]));
    std::vector<parser::Note> notes;
    // What can be taken away first, then what it competes with.
    for (const bool removable : {true, false})
      for (std::size_t i = 1; i < competition.equations.size() && notes.size() < 8; ++i) {
        const Equation& other = problem_.equations[competition.equations[i]];
        const bool is_removable = other.why == Why::start || other.why == Why::initial_equation || other.why == Why::reinit;
        if (is_removable != removable || other.why == Why::pre) continue;
        notes.push_back({other.place, (removable ? "competes with " : "given ") + describe(other)});
      }
    std::string what;
    for (std::size_t i = 0; i < names.size() && i < 6; ++i) what += (i ? ", " : "") + names[i];
    if (names.size() > 6) what += ", ...";
    const Equation& equation = problem_.equations[e];
    a_.error(equation.place,
             names.empty()
                 ? fmt::format("the initial equation {} determines nothing", describe(equation))
                 : fmt::format("too many initial conditions: {} is one too many, {} equations for {}: {}", describe(equation),
                               competition.equations.size(), names.size() == 1 ? "1 unknown" : fmt::format("{} unknowns", names.size()), what),
             "remove one of them", std::move(notes));
  }

  Analysis& a_;
  Expressions& x_;
  Problem problem_;
  std::set<std::pair<Expr, Expr>> known_;   // initial equations
  std::vector<char> pre_;
  std::unordered_map<std::uint32_t, bool> active_;   // of when-clauses: whether initial() enables them
  Rewriter initially_;
};

}  // namespace

void sort_initial_system(Analysis& a) { InitialSystem(a).run(); }

}  // namespace mosim::compiler::dae
