// Equations that hold at all times: who determines what, and in which order.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/analyse/index_reduction.hpp"
#include "compiler/analyse/solve.hpp"

namespace mosim::compiler::dae {

void Problem::add_unknown(Quantity q) {
  if (index(q) >= number.size()) number.resize(index(q) + 64 + number.size() / 2, unmatched);
  if (number[index(q)] != unmatched) return;
  number[index(q)] = static_cast<std::uint32_t>(unknowns.size());
  unknowns.push_back(q);
}

namespace {

bool discrete_type(BaseType type) { return type != BaseType::real; }

/// The unknown that an equation between values of a discrete type gives: it stands alone on one side (MLS appendix B),
/// possibly under `not` or a minus.
Expr alone(const Expressions& x, Expr side) {
  if (x.op(side) == Op::not_ || x.op(side) == Op::negate) side = x.child(side, 0);
  return quantity_of(x, side) == Quantity::none ? Expr::none : side;
}

bool says_nothing(const Expressions& x, const Equation& e) {
  if (e.target != Quantity::none) return false;
  const auto is_zero = [&](Expr n) { return x.is_number(n) && x.number(n) == 0; };
  const auto cancels = [&](Expr n) { return x.op(n) == Op::subtract && x.child(n, 0) == x.child(n, 1); };
  return e.left == e.right || (is_zero(e.left) && cancels(e.right)) || (is_zero(e.right) && cancels(e.left));
}

}  // namespace

void find_incidence(Analysis& a, Problem& problem) {
  const Expressions& x = a.x();
  Walker& walker = a.walker;
  std::vector<std::uint32_t> seen(problem.unknowns.size(), unmatched), solvable(problem.unknowns.size(), unmatched);
  std::vector<std::uint32_t> found;
  std::vector<Expr> delays;
  problem.incidence = {};
  for (std::uint32_t i = 0; i < problem.equations.size(); ++i) {
    const Equation& e = problem.equations[i];
    problem.incidence.begin_equation();
    found.clear();
    delays.clear();
    const auto note = [&](Expr n) {
      const Quantity q = quantity_of(x, n);
      if (q == Quantity::none) return;
      const std::uint32_t u = problem.number_of(q);
      if (u == unmatched || seen[u] == i) return;
      seen[u] = i;
      found.push_back(u);
    };
    const auto can_solve = [&](Expr n) {
      const Quantity q = n == Expr::none ? Quantity::none : quantity_of(x, n);
      const std::uint32_t u = q == Quantity::none ? unmatched : problem.number_of(q);
      if (u != unmatched) solvable[u] = i;
    };
    // x = x, as x = y may become when another equation says so already.
    if (says_nothing(x, e)) continue;
    // What stands alone comes first: it is what the equation was written for.
    if (e.target != Quantity::none) {
      const std::uint32_t u = problem.number_of(e.target);
      if (u != unmatched) solvable[u] = i;
    } else if (discrete_type(x.type(e.left)) && discrete_type(x.type(e.right))) {   // one side Real: an equation of Reals
      can_solve(alone(x, e.left));
      can_solve(alone(x, e.right));
      if (x.type(e.left) == BaseType::integer || x.type(e.right) == BaseType::integer)
        for (Expr side : {e.left, e.right})
          walker.each(side, [&](Expr n) {
            can_solve(n);
            return x.op(n) == Op::add || x.op(n) == Op::subtract || x.op(n) == Op::negate;
          });
    } else {
      walker.restart();
      for (Expr side : {e.left, e.right})
        walker.more(side, [&](Expr n) {
          can_solve(n);
          switch (x.op(n)) {
            // Nothing can be solved for what stands under these.
            case Op::less: case Op::less_equal: case Op::greater: case Op::greater_equal: case Op::equal:
            case Op::not_equal: case Op::not_: case Op::and_: case Op::or_: case Op::floor: case Op::ceil:
            case Op::integer_of: case Op::div: case Op::sign: case Op::within: case Op::delay: case Op::spatial_distribution: return false;
            default: return x.type(n) != BaseType::boolean;
          }
        });
    }
    note(e.left);
    note(e.right);
    walker.restart();
    for (Expr side : {e.left, e.right, e.guard}) {
      if (side == Expr::none) continue;
      walker.more(side, [&](Expr n) {
        note(n);
        if (looks_back(x.op(n))) delays.push_back(n);
        return !looks_back(x.op(n));
      });
    }
    // What is delayed is needed in the past only; by how much, now.
    for (std::size_t d = 0; d < delays.size(); ++d)
      for (std::size_t c = past_operands(x.op(delays[d])); c < x.children(delays[d]).size(); ++c)
        walker.more(x.child(delays[d], c), [&](Expr n) {
          note(n);
          if (looks_back(x.op(n))) delays.push_back(n);
          return !looks_back(x.op(n));
        });
    for (std::uint32_t u : found) problem.incidence.add(u, solvable[u] == i);
  }
}

namespace {

/// The versions of the equations that hold after initialisation.
std::vector<Equation> after_initialisation(Analysis& a) {
  Expressions& x = a.x();
  Rewriter rewriter(x, [&](Expr e) {
    if (x.op(e) == Op::initial) return x.boolean(false);
    return Expr::none;
  }, [&](Expr e, Expr) { return x.op(e) == Op::homotopy ? x.child(e, 0) : e; }, contents::special);
  std::vector<Equation> result = a.equations;
  for (Equation& e : result) {
    e.left = rewriter(e.left);
    e.right = rewriter(e.right);
    if (e.guard != Expr::none) e.guard = rewriter(e.guard);
  }
  return result;
}

void find_used_pre(Analysis& a) {
  System& s = a.system;
  const Expressions& x = a.x();
  std::vector<char> used(a.model().variables.size(), 0), used_previous(used);
  Walker walker(x);
  const auto look = [&](Expr root) {
    if (root == Expr::none || !x.holds(root, contents::past)) return;
    walker.more(root, [&](Expr e) {
      if (x.op(e) == Op::pre) used[index(x.variable(e))] = 1;
      if (x.op(e) == Op::previous) used_previous[index(x.variable(e))] = 1;
      return true;
    });
  };
  for (const Block& b : s.event.blocks) {
    for (const Solved& solved : b.assignments()) look(solved.value);
    for (const Residual& r : b.residuals()) look(r.left), look(r.right);
  }
  for (const Equation& e : s.event.equations) look(e.guard);
  for (const Relation& r : s.relations) look(r.relation), look(r.instant);
  for (const WhenEffect& effect : s.effects) {
    look(effect.guard);
    if (const auto* r = std::get_if<flat::Reinit>(&effect.node)) look(r->value);
    if (const auto* c = std::get_if<flat::Assertion>(&effect.node)) look(c->condition), look(c->message);
    if (const auto* t = std::get_if<flat::Termination>(&effect.node)) look(t->message);
  }
  for (const auto& c : s.assertions) look(c.condition), look(c.message);
  for (const auto& c : s.sampled) look(c.value);
  s.pre.clear();
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (used[i]) s.pre.push_back(static_cast<VariableId>(i));
    if (used_previous[i]) s.previous.push_back(static_cast<VariableId>(i));
  }
  std::sort(s.pre_of_helpers.begin(), s.pre_of_helpers.end());
  s.pre_of_helpers.erase(std::unique(s.pre_of_helpers.begin(), s.pre_of_helpers.end()), s.pre_of_helpers.end());
}

/// Of the blocks that continuous() has, leaves those that change between events: they depend on time, a state, or another such block. Gives the
/// quantities that do.
std::vector<char> keep_varying(Analysis& a) {
  const Expressions& x = a.x();
  std::vector<char> varies(a.model().variables.size() * 4, 0);
  for (VariableId v : a.system.states) varies[index(quantity(v))] = 1;
  for (std::uint32_t i = 0; i < a.model().variables.size(); ++i)
    if (const auto v = static_cast<VariableId>(i); a.is_signal(v)) varies[index(quantity(v))] = 1;
  std::vector<char> input_of_delay(a.model().variables.size(), 0);
  for (const Delay& d : a.system.delays) {
    input_of_delay[index(d.input)] = 1;
    if (d.varying != VariableId::none) input_of_delay[index(d.varying)] = 1;
  }
  for (const SpatialDistribution& t : a.system.spatial_distributions)
    for (VariableId v : {t.in0, t.in1, t.x, t.positive}) input_of_delay[index(v)] = 1;
  Walker walker(x);
  const std::vector<Block>& blocks = a.system.continuous().blocks;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t number = 0; number < blocks.size(); ++number) {
    const Block& b = blocks[number];
    bool keep = false;
    const auto look = [&](Expr root) {
      if (keep) return;
      walker.each(root, [&](Expr e) {
        const Quantity q = quantity_of(x, e);
        keep = keep || x.op(e) == Op::time || looks_back(x.op(e)) || (q != Quantity::none && varies[index(q)]);
        return !keep;
      });
    };
    for (const Solved& s : b.assignments()) {
      look(s.value);
      // The integrator reads every derivative; a delay line every input.
      keep = keep || part(s.unknown) == Part::derivative || input_of_delay[index(variable(s.unknown))];
    }
    for (const Residual& r : b.residuals()) look(r.left), look(r.right);
    for (Quantity q : b.unknowns()) keep = keep || part(q) == Part::derivative;
    if (!keep) continue;
    for (const Solved& s : b.assignments()) varies[index(s.unknown)] = 1;
    for (Quantity q : b.unknowns()) varies[index(q)] = 1;
    kept.push_back(number);
  }
  if (kept.size() == blocks.size()) return varies;
  if (!a.system.between_events) a.system.between_events = a.system.event;
  std::vector<Block>& all = a.system.between_events->blocks;
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k] != k) all[k] = std::move(all[kept[k]]);
  all.resize(kept.size());
  return varies;
}

/// A Real that is discrete has no equation that gives it another value between events (MLS 4.5.3).
void check_discrete_reals(Analysis& a, const std::vector<char>& varies) {
  const Expressions& x = a.x();
  const std::vector<Equation>& equations = a.system.event.equations;
  Walker walker(x);
  const auto is_continuous = [&](Expr root) {
    bool continuous = false;
    walker.each(root, [&](Expr e) {
      const Quantity q = quantity_of(x, e);
      continuous = continuous || x.op(e) == Op::time || looks_back(x.op(e)) || (q != Quantity::none && varies[index(q)]);
      return !continuous;
    });
    return continuous;
  };
  const auto is_discrete_real = [&](VariableId v) {
    return a.fact(v).kind == VariableKind::discrete && index(v) < a.system.user_variables && a.variable(v).type == BaseType::real;
  };
  const auto complain = [&](VariableId v, const Equation& equation) {
    a.error(equation.place, fmt::format("{} is declared discrete, but {} would have to give it a value that varies between events", a.name(v), a.text(equation)),
            fmt::format("remove `discrete` where {} is declared, or set it in a when-clause", a.said(v)), {{a.variable(v).place, a.name(v) + " is declared here"}});
  };
  for (const Block& b : a.system.event.blocks) {
    if (b.unknowns().empty()) {
      for (const Solved& s : b.assignments())
        if (const VariableId v = variable(s.unknown); is_discrete_real(v) && equations[s.equation].why == Why::equation && is_continuous(s.value)) complain(v, equations[s.equation]);
      continue;
    }
    // Solved together: as many of them as when-clauses and algorithms in it set stand between events.
    std::vector<VariableId> discrete;
    std::size_t set = 0;
    const Equation* varying = nullptr;
    const auto look = [&](std::uint32_t number, bool continuous) {
      set += equations[number].why != Why::equation;
      if (continuous && !varying) varying = &equations[number];
    };
    for (const Solved& s : b.assignments()) {
      if (is_discrete_real(variable(s.unknown))) discrete.push_back(variable(s.unknown));
      look(s.equation, is_continuous(s.value));
    }
    for (const Quantity q : b.unknowns())
      if (is_discrete_real(variable(q))) discrete.push_back(variable(q));
    for (const Residual& r : b.residuals()) look(r.equation, is_continuous(r.left) || is_continuous(r.right));
    if (varying && discrete.size() > set) complain(discrete.front(), *varying);
  }
}

void mark_for_derivatives(Analysis& a) {
  const Expressions& x = a.x();
  const Schedule& schedule = a.system.continuous();
  std::vector<char> needed(a.model().variables.size() * 4, 0);
  a.system.for_derivatives.assign(schedule.blocks.size(), false);
  Walker walker(x);
  for (std::size_t i = schedule.blocks.size(); i-- > 0;) {
    const Block& b = schedule.blocks[i];
    bool take = false;
    const auto wanted = [&](Quantity q) { take = take || part(q) == Part::derivative || needed[index(q)]; };
    for (const Solved& s : b.assignments()) wanted(s.unknown);
    for (Quantity q : b.unknowns()) wanted(q);
    if (!take) continue;
    a.system.for_derivatives[i] = true;
    walker.restart();
    const auto need = [&](Expr root) {
      walker.more(root, [&](Expr e) {
        const Quantity q = quantity_of(x, e);
        if (q != Quantity::none) needed[index(q)] = 1;
        return true;
      });
    };
    for (const Solved& s : b.assignments()) need(s.value);
    for (const Residual& r : b.residuals()) need(r.left), need(r.right);
  }
}

}  // namespace

Problem make_problem(Analysis& a) {
  Problem problem;
  problem.equations = after_initialisation(a);
  for (std::uint32_t i = 0; i < a.model().variables.size(); ++i) {
    const auto v = static_cast<VariableId>(i);
    switch (a.fact(v).kind) {
      case VariableKind::state: problem.add_unknown(quantity(v, Part::derivative)); break;
      case VariableKind::algebraic: case VariableKind::discrete: case VariableKind::clocked: problem.add_unknown(quantity(v)); break;
      default: break;
    }
  }
  find_incidence(a, problem);
  return problem;
}

bool match(Analysis& a, const Problem& problem, Matcher& matching) {
  const auto count = static_cast<std::uint32_t>(problem.equations.size());
  matching.reduce(0, count);
  bool complete = count == problem.unknowns.size();
  // Discrete equations first: they have least choice.
  for (const bool discrete : {true, false})
    for (std::uint32_t e = 0; e < count; ++e) {
      const bool is_discrete = problem.equations[e].target != Quantity::none || discrete_type(a.x().type(problem.equations[e].left));
      if (is_discrete == discrete && !matching.augment(e)) complete = false;
    }
  return complete;
}

namespace {

/// How far the way to a system of index 1 has been gone.
enum class Tried { nothing, shared_derivatives, reduction };

/// Blocks that the structure takes for solvable and whose equations repeat or contradict each other.
void check_blocks(Analysis& a, const Problem& problem, const Matcher& matching) {
  std::vector<std::uint32_t> all(problem.equations.size());
  std::iota(all.begin(), all.end(), 0u);
  Solver solver(a);
  std::vector<Quantity> unknowns;
  for (const std::span<const std::uint32_t> component : strong_components(problem.incidence, matching, all)) {
    unknowns.clear();
    for (std::uint32_t e : component) unknowns.push_back(problem.unknowns[matching.unknown_of(e)]);
    if (component.size() == 1) {
      const Equation& e = problem.equations[component[0]];
      const Expr leaf = a.leaf(unknowns[0]);
      if ((e.left == leaf && !solver.contains(e.right, leaf)) || (e.right == leaf && !solver.contains(e.left, leaf))) continue;
    }
    check_dependent_block(a, problem.equations, component, unknowns);
    if (a.failed) return;
  }
}

void schedule(Analysis& a, Problem& problem, const Matcher& matching) {
  const auto count = static_cast<std::uint32_t>(problem.equations.size());
  std::vector<std::uint32_t> all(count), continuous;
  for (std::uint32_t e = 0; e < count; ++e) {
    all[e] = e;
    const Quantity q = problem.unknowns[matching.unknown_of(e)];
    const VariableKind kind = a.fact(variable(q)).kind;
    if (kind == VariableKind::state || kind == VariableKind::algebraic) continuous.push_back(e);
  }
  // Where nothing changes at events alone the order is the same.
  const bool same = continuous.size() == count;
  a.system.event = make_schedule(a, problem, matching, all, Phase::event, same);
  if (!same && !a.failed) a.system.between_events = make_schedule(a, problem, matching, continuous, Phase::continuous, true);
}

/// Tells of a structure without a solution with `before` for its equations, as they were written. Where that was solvable, some of them repeat
/// or contradict each other, and that is what the reader has to know.
void explain_as_written(Analysis& a, std::vector<Equation>& before) {
  a.equations.swap(before);
  const Problem problem = make_problem(a);
  Matcher matching(problem.incidence, problem.unknowns.size());
  if (match(a, problem, matching)) check_blocks(a, problem, matching);
  else explain_structure(a, problem, matching);
  a.equations.swap(before);
}

/// Another form of the equations, of lower index. False: there is none.
bool transform(Analysis& a, const Problem& problem, const Matcher& matching, Tried& tried) {
  if (problem.equations.size() != problem.unknowns.size()) return false;
  if (tried == Tried::nothing) {
    tried = Tried::shared_derivatives;
    if (share_derivatives(a) && !a.failed) return true;
  }
  if (tried == Tried::reduction || a.failed) return false;
  tried = Tried::reduction;
  return reduce_index(a, problem, matching);
}

}  // namespace

bool release_algorithms(Analysis& a, std::vector<Equation>& equations, bool initial) {
  bool any = false;
  for (Equation& e : equations) {
    const bool may_be = e.why == Why::algorithm || e.why == Why::step || (initial && e.why == Why::when);
    if (!may_be || e.clock != none || e.target == Quantity::none || part(e.target) != Part::value) continue;
    const VariableKind kind = a.fact(variable(e.target)).kind;
    if ((kind != VariableKind::algebraic && kind != VariableKind::state && !(initial && kind == VariableKind::discrete)) || a.variable(variable(e.target)).type != BaseType::real) continue;
    e.target = Quantity::none;
    any = true;
  }
  return any;
}

void sort_equations(Analysis& a) {
  constexpr int most_looks = 10;
  Tried tried = Tried::nothing;
  int looks = 0;
  std::vector<Equation> before;   // hidden constraints were exposed
  bool released = false;          // algorithms may be solved for their inputs
  for (;;) {
    Problem problem = make_problem(a);
    Matcher matching(problem.incidence, problem.unknowns.size());
    const bool complete = match(a, problem, matching);
    if (tried != Tried::reduction && ++looks <= most_looks && expose_constraints(a, problem, matching, &before)) continue;
    if (!complete && !released && problem.equations.size() == problem.unknowns.size()) {
      released = true;
      if (release_algorithms(a, a.equations, false)) continue;
    }
    if (complete) {
      check_states(a);
      if (!a.failed) check_blocks(a, problem, matching);
      if (!a.failed) schedule(a, problem, matching);
      break;
    }
    if (!transform(a, problem, matching, tried)) {
      if (!a.failed && !before.empty()) explain_as_written(a, before);
      if (!a.failed) explain_structure(a, problem, matching);
      return;
    }
    before.clear();
    guard_relations(a);
  }
  if (a.failed) return;
  check_discrete_reals(a, keep_varying(a));
  if (a.failed) return;
  mark_for_derivatives(a);
  find_used_pre(a);
}

}  // namespace mosim::compiler::dae
