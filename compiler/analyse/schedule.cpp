// Matched equations in an order in which each can be evaluated: blocks.

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "compiler/analyse/analysis.hpp"
#include "compiler/analyse/tearing.hpp"

namespace mosim::compiler::dae {

namespace {

class Scheduler {
public:
  Scheduler(Analysis& a, Problem& problem, const Matcher& matching, Phase phase)
      : a_(a), x_(a.x()), problem_(problem), matching_(matching), phase_(phase), solver_(a), hold_(a.x(), [this](Expr e) {
          if (x_.op(e) != Op::variable) return Expr::none;
          const auto it = held_.find(index(x_.variable(e)));
          return it == held_.end() ? Expr::none : it->second;
        }) {}

  Schedule run(const std::vector<std::uint32_t>& members, bool last) {
    schedule_.blocks.reserve(members.size());
    for (const std::span<const std::uint32_t> component : strong_components(problem_.incidence, matching_, members)) {
      if (component.size() == 1) single(problem_, matching_, component[0], component[0]);
      else loop(component);
    }
    if (last) schedule_.equations = std::move(problem_.equations);
    else schedule_.equations = problem_.equations;
    for (auto& [number, equation] : replaced_) schedule_.equations[number] = equation;
    return std::move(schedule_);
  }

private:
  bool discrete_type(Quantity q) { return a_.variable(variable(q)).type != BaseType::real; }

  /// Not Real, but found anew wherever its equation is.
  bool follows(const Equation& e, Quantity q) { return e.why == Why::equation && e.target == q && a_.fact(variable(q)).kind == VariableKind::algebraic; }

  static bool is_buffered(const Equation& e) { return e.why == Why::relation || e.why == Why::event_function; }

  void single(const Problem& problem, const Matcher& matching, std::uint32_t e, std::uint32_t original) {
    const Equation& equation = problem.equations[e];
    const Quantity q = problem.unknowns[matching.unknown_of(e)];
    std::optional<Expr> value;
    if (equation.target != Quantity::none) {
      if (!solver_.contains(equation.right, a_.leaf(q))) value = equation.right;
    } else {
      value = solver_.solve(equation, q);
      flat::Assertion check;
      if (!value && (value = solver_.solve_by_inverse(equation, q, check)) && phase_ != Phase::continuous)
        (phase_ == Phase::initial ? a_.system.initial_assertions : a_.system.assertions).push_back(check);
    }
    if (value) {
      if (equation.why == Why::equation && equation.target == Quantity::none && discrete_type(q) &&
          (a_.x().type(*value) == BaseType::real || (equation.left != a_.leaf(q) && variability(a_.model(), *value) == flat::Variability::continuous))) {
        const bool varies = variability(a_.model(), *value) == flat::Variability::continuous;
        a_.error(equation.place,
                 varies ? fmt::format("{} is not Real and changes at events alone, but {} would have to give it a value that varies between them",
                                      a_.name(q), a_.text(equation))
                        : fmt::format("{} is not Real, but {} would have to give it a Real value", a_.name(q), a_.text(equation)),
                 fmt::format("declare {} Real, or {}", a_.said(variable(q)), varies ? "give it a value of its own" : "round: integer(...) is an event"));
        return;
      }
      schedule_.blocks.emplace_back(Solved{q, *value, original}, equation.clock);
      return;
    }
    if (discrete_type(q)) {
      const auto alone = [&](Expr side) {
        return side == a_.leaf(q) || (!x_.children(side).empty() && x_.child(side, 0) == a_.leaf(q) &&
                                      (x_.op(side) == Op::not_ || x_.op(side) == Op::negate));
      };
      const bool self = equation.target != Quantity::none || alone(equation.left) || alone(equation.right);
      if (self)
        a_.error(equation.place, fmt::format("{} depends on itself at the same instant: {}", a_.name(q), a_.text(equation)),
                 fmt::format("no value need agree with that; a when-clause sets {0} at an event and reads pre({0}), the value before it",
                             a_.said(variable(q))));
      else
        a_.error(equation.place,
                 fmt::format("the equation {} would have to be solved for {}, which is not Real and does not stand alone (MLS B)",
                             a_.text(equation), a_.name(q)),
                 fmt::format("write it as {} = ...", a_.said(variable(q))));
      return;
    }
    Block& block = add_block(equation.clock);
    block.together() = tear(a_, solver_, problem.equations, {e}, {q});
    number_as(block, [&](std::uint32_t) { return original; });
  }

  Block& add_block(std::uint32_t clock) {
    schedule_.blocks.emplace_back().clock = clock;
    return schedule_.blocks.back();
  }

  template <class Number>
  static void number_as(Block& block, Number&& number) {
    for (Solved& s : block.together().assignments) s.equation = number(s.equation);
    for (Residual& r : block.together().residuals) r.equation = number(r.equation);
  }

  void loop(std::span<const std::uint32_t> component) {
    bool buffered = false;
    for (std::uint32_t e : component) buffered = buffered || is_buffered(problem_.equations[e]);
    if (!buffered) {
      algebraic(problem_, matching_, component, component);
      return;
    }
    // Relations and the equations that depend on them are solved together (E15). Where a when-clause is among them, what it
    // does comes after what set it off: everything uses the relations as they were, and the values found now count in the
    // next round.
    const bool together = phase_ == Phase::initial || std::none_of(component.begin(), component.end(), [&](std::uint32_t e) {
      const Why why = problem_.equations[e].why;
      return why == Why::when || why == Why::condition || why == Why::active;
    });
    held_.clear();
    hold_.forget();
    Iteration iteration;
    iteration.first = static_cast<std::uint32_t>(schedule_.blocks.size());
    for (std::uint32_t e : component) {
      if (!is_buffered(problem_.equations[e])) continue;
      const VariableId v = variable(problem_.equations[e].target);
      if (together) {
        const VariableId h = a_.helper(a_.variable(v).name + "$held", a_.variable(v).type, VariableKind::flag, Place{}, a_.value(v));
        held_[index(v)] = a_.value(h);
        iteration.frozen.push_back({v, h});
      } else {
        held_[index(v)] = a_.pre(v);
        a_.system.pre_of_helpers.push_back(v);
      }
    }
    Problem inner;
    inner.number = std::move(scratch_);
    for (std::uint32_t e : component) {
      Equation equation = problem_.equations[e];
      const bool is_own = is_buffered(equation);
      if (!is_own) equation.left = hold_(equation.left);
      equation.right = hold_(equation.right);
      if (equation.guard != Expr::none) equation.guard = hold_(equation.guard);
      inner.equations.push_back(equation);
      inner.add_unknown(problem_.unknowns[matching_.unknown_of(e)]);
    }
    find_incidence(a_, inner);
    for (Quantity q : inner.unknowns) inner.number[index(q)] = unmatched;
    scratch_ = std::move(inner.number);
    const auto count = static_cast<std::uint32_t>(component.size());
    Matcher matching(inner.incidence, count);
    std::vector<std::uint32_t> members(count);
    matching.reduce(0, count);
    bool complete = true;
    for (std::uint32_t e = 0; e < count; ++e) {
      members[e] = e;
      complete = matching.augment(e) && complete;
    }
    if (!complete) {
      complain(problem_, matching_, component, component);
      return;
    }
    for (const std::span<const std::uint32_t> part : strong_components(inner.incidence, matching, members)) {
      if (part.size() == 1) {
        single(inner, matching, part[0], component[part[0]]);
        continue;
      }
      std::vector<std::uint32_t> original;
      for (std::uint32_t e : part) original.push_back(component[e]);
      algebraic(inner, matching, part, original);
    }
    // What the blocks hold in place of the equations of the flat model.
    for (std::uint32_t e = 0; e < count; ++e) replaced_.emplace_back(component[e], inner.equations[e]);
    if (together) {
      iteration.last = static_cast<std::uint32_t>(schedule_.blocks.size());
      schedule_.iterations.push_back(std::move(iteration));
    }
  }

  void algebraic(const Problem& problem, const Matcher& matching, std::span<const std::uint32_t> component, std::span<const std::uint32_t> original) {
    std::vector<Quantity> unknowns;
    for (std::uint32_t e : component) {
      unknowns.push_back(problem.unknowns[matching.unknown_of(e)]);
      if (discrete_type(unknowns.back()) && !follows(problem.equations[e], unknowns.back())) {
        complain(problem, matching, component, original);
        return;
      }
    }
    const std::uint32_t clock = problem.equations[component[0]].clock;
    for (std::uint32_t e : component)
      if (problem.equations[e].clock != clock) {
        const Equation &one = problem.equations[component[0]], &two = problem.equations[e];
        a_.error(one.place, "these equations would have to be solved together, but belong to different clocks (MLS 16.7.4)",
                 {}, {{two.place, a_.text(two)}});
        return;
      }
    std::vector<Equation> own;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t e : component) {
      numbers.push_back(static_cast<std::uint32_t>(own.size()));
      own.push_back(problem.equations[e]);
    }
    if (phase_ != Phase::initial && call_before(own, unknowns, original, clock))
      for (std::size_t i = 0; i < own.size(); ++i) replaced_.emplace_back(original[i], own[i]);
    Block& block = add_block(clock);
    block.together() = tear(a_, solver_, own, numbers, unknowns);
    number_as(block, [&](std::uint32_t e) { return original[e]; });
  }

  /// Calls of functions in a system that have nothing to do with its unknowns are carried out once, before it. False: there are none.
  bool call_before(std::vector<Equation>& own, const std::vector<Quantity>& unknowns, std::span<const std::uint32_t> original, std::uint32_t clock) {
    Scratch<char> depends, seen;
    std::unordered_set<std::uint32_t> own_unknowns;
    for (Quantity q : unknowns) own_unknowns.insert(index(q));
    const auto find = [&](Expr root) {
      children_first(
          x_, root, [&](Expr e) { return depends.has(e); },
          [&](Expr e) {
            const Quantity q = quantity_of(x_, e);
            bool result = q != Quantity::none && own_unknowns.contains(index(q));
            for (Expr c : x_.children(e)) result = result || depends[c];
            depends[e] = result;
          });
    };
    std::vector<Expr> calls;   // results of them
    std::size_t source = own.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].why != Why::equation || own[i].guard != Expr::none) continue;
      if (source == own.size()) source = i;
      for (Expr side : {own[i].left, own[i].right}) {
        find(side);
        std::vector<Expr> open{side};
        while (!open.empty()) {
          const Expr e = open.back();
          open.pop_back();
          if (seen.has(e)) continue;
          seen[e] = 1;
          if (x_.op(e) == Op::result && !depends[e]) {
            calls.push_back(e);
            continue;
          }
          // E14: what stands behind a condition may never be asked for.
          const bool conditional = x_.op(e) == Op::if_ || x_.op(e) == Op::and_ || x_.op(e) == Op::or_;
          for (Expr c : x_.children(e)) {
            open.push_back(c);
            if (conditional) break;
          }
        }
      }
    }
    if (calls.empty()) return false;
    // Of these calls all results, wherever they stand.
    std::unordered_set<std::uint32_t> called, taken;
    for (Expr e : calls) {
      called.insert(index(x_.child(e, 0)));
      taken.insert(index(e));
    }
    a_.walker.restart();
    for (const Equation& e : own)
      for (Expr side : {e.left, e.right})
        a_.walker.more(side, [&](Expr n) {
          if (x_.op(n) == Op::result && called.contains(index(x_.child(n, 0))) && taken.insert(index(n)).second) calls.push_back(n);
          return true;
        });
    std::unordered_map<std::uint32_t, Expr> found;
    std::vector<Solved>& before = add_block(clock).together().assignments;
    for (Expr e : calls) {
      const auto [it, fresh] = a_.called_before.try_emplace(index(e), VariableId::none);
      if (fresh) it->second = a_.helper(fmt::format("$call{}", a_.called_before.size()), x_.type(e), VariableKind::flag, x_.place(e), e);
      found.emplace(index(e), a_.value(it->second));
      before.push_back({quantity(it->second), e, original[source]});
    }
    Rewriter rewrite(x_, [&](Expr e) {
      const auto it = found.find(index(e));
      return it == found.end() ? Expr::none : it->second;
    });
    for (Equation& e : own) {
      e.left = rewrite(e.left);
      e.right = rewrite(e.right);
    }
    return true;
  }

  /// A loop through discrete variables: shows a shortest circle in it.
  void complain(const Problem& problem, const Matcher& matching, std::span<const std::uint32_t> component, std::span<const std::uint32_t>) {
    std::unordered_map<std::uint32_t, std::uint32_t> from;   // equation -> the one that needs it
    std::unordered_map<std::uint32_t, char> member;
    for (std::uint32_t e : component) member[e] = 1;
    std::uint32_t root = component[0];
    for (std::uint32_t e : component)
      if (discrete_type(problem.unknowns[matching.unknown_of(e)]) && index(variable(problem.unknowns[matching.unknown_of(e)])) < a_.system.user_variables) {
        root = e;
        break;
      }
    std::queue<std::uint32_t> queue;
    queue.push(root);
    std::vector<std::uint32_t> circle;
    while (!queue.empty() && circle.empty()) {
      const std::uint32_t e = queue.front();
      queue.pop();
      for (const auto& entry : problem.incidence.of(e)) {
        const std::uint32_t other = matching.equation_of(entry.unknown);
        if (other == unmatched || other == e || !member.count(other)) continue;
        if (other == root) {
          for (std::uint32_t step = e; step != root; step = from[step]) circle.push_back(step);
          circle.push_back(root);
          break;
        }
        if (from.emplace(other, e).second) queue.push(other);
      }
    }
    std::reverse(circle.begin(), circle.end());
    if (circle.empty()) circle.assign(component.begin(), component.end());
    std::string chain;
    std::vector<parser::Note> notes;
    std::string example;
    for (std::uint32_t e : circle) {
      const Quantity q = problem.unknowns[matching.unknown_of(e)];
      if (index(variable(q)) >= a_.system.user_variables) continue;
      chain += a_.said(variable(q)) + " -> ";
      if (example.empty()) example = a_.said(variable(q));
      notes.push_back({problem.equations[e].place, a_.name(q) + " is given by " + a_.text(problem.equations[e])});
    }
    chain += example;
    a_.error(problem.equations[root].place, "discrete variables depend on each other at the same instant: " + chain,
             problem.equations[root].clock == none ? fmt::format("break the circle with pre(), the value before the event: pre({})", example)
                                                   : fmt::format("break the circle with previous(), the value at the tick before: previous({})", example),
             std::move(notes));
  }

  Analysis& a_;
  Expressions& x_;
  Problem& problem_;
  const Matcher& matching_;
  Phase phase_;
  Solver solver_;
  Schedule schedule_;
  std::vector<std::pair<std::uint32_t, Equation>> replaced_;   // by what the blocks hold
  std::unordered_map<std::uint32_t, Expr> held_;   // relation -> what stands for it inside the loop
  Rewriter hold_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace

Schedule make_schedule(Analysis& a, Problem& problem, const Matcher& matching,
                       const std::vector<std::uint32_t>& members, Phase phase, bool last) {
  return Scheduler(a, problem, matching, phase).run(members, last);
}

}  // namespace mosim::compiler::dae
