// When-equations as equations that hold at all times (MLS 8.3.5.1): v = if active then e else pre(v).

#include <fmt/format.h>

#include <map>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

Condition make_condition(Analysis& a, Expr e, Expr source) {
  Expressions& x = a.x();
  Condition c;
  c.source = source;
  c.place = x.place(source);
  c.variable = VariableId::none;
  // As it is written: what an algorithm has made of a variable is not initial() itself (MLS 8.6).
  if (x.op(source) == Op::initial) {
    c.initial = true;
    return c;
  }
  if (x.op(e) == Op::variable) {
    // Relations and samples have a variable of their own already.
    c.variable = x.variable(e);
    if (a.fact(c.variable).kind == VariableKind::flag) {
      c.pulse = true;
      return c;
    }
    if (a.fact(c.variable).is_relation) {
      a.system.pre_of_helpers.push_back(c.variable);
      return c;
    }
  }
  if (const auto it = a.conditions.find(index(e)); it != a.conditions.end()) {
    c.variable = it->second;
    return c;
  }
  c.variable = a.helper(fmt::format("$condition{}", a.conditions.size() + 1), BaseType::boolean, VariableKind::discrete, c.place, source);
  a.conditions.emplace(index(e), c.variable);
  a.system.pre_of_helpers.push_back(c.variable);
  Equation equation;
  equation.left = a.value(c.variable);
  equation.right = e;
  equation.target = quantity(c.variable);
  equation.place = c.place;
  equation.why = Why::condition;
  equation.source_left = equation.left;
  equation.source_right = source;
  a.equations.push_back(equation);
  return c;
}

void complain_of_two(Analysis& a, VariableId v, Place first, Place second) {
  a.error(second, fmt::format("{} is assigned in two when-clauses (or a when-clause and an algorithm)", a.name(v)),
          "use one when-clause with elsewhen, or put both into one algorithm", {{first, "the other one is here"}});
}

}  // namespace

namespace {

/// True if one of these branches is active. In a long chain each is asked for once: it has a variable that holds it for all up to it.
Expr taken(Analysis& a, std::span<const std::uint32_t> branches) {
  constexpr std::size_t few = 4;
  Expr any = a.x().boolean(false);
  if (branches.size() <= few) {
    for (std::uint32_t b : branches) any = a.logical(Op::or_, any, a.value(a.system.branches[b].active));
    return any;
  }
  const auto before = branches.first(branches.size() - 1);
  if (const VariableId known = a.system.branches[before.back()].taken; known != VariableId::none)
    any = a.value(known);
  else
    for (std::uint32_t b : before) any = a.logical(Op::or_, any, a.value(a.system.branches[b].active));
  Branch& last = a.system.branches[branches.back()];
  last.taken = a.helper(fmt::format("$taken{}", branches.back() + 1), BaseType::boolean, VariableKind::discrete, last.place, "an earlier branch fires");
  Equation equation;
  equation.left = a.value(last.taken);
  equation.right = a.logical(Op::or_, any, a.value(last.active));
  equation.target = quantity(last.taken);
  equation.place = last.place;
  equation.why = Why::step;
  a.equations.push_back(equation);
  return equation.left;
}

}  // namespace

std::uint32_t make_branch(Analysis& a, std::span<const Expr> conditions, std::span<const Expr> sources, Place place,
                          std::span<const std::uint32_t> earlier, Expr guard) {
  const auto number = static_cast<std::uint32_t>(a.system.branches.size());
  Branch branch;
  branch.place = place;
  branch.active = a.helper(fmt::format("$when{}", number + 1), BaseType::boolean, VariableKind::discrete, place,
                           conditions.empty() ? "a when-clause" : "when " + print(a.model(), sources[0]) + (conditions.size() > 1 ? " ..." : ""));
  Expr active = a.x().boolean(false);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    Expr element = conditions[i];
    if (guard != Expr::none && a.x().op(sources[i]) != Op::initial) element = a.logical(Op::and_, guard, element);
    const Condition c = make_condition(a, element, sources[i]);
    branch.conditions.push_back(c);
    if (c.initial) {
      branch.active_initially = true;
      continue;
    }
    const Expr now = a.value(c.variable);
    active = a.logical(Op::or_, active, c.pulse ? now : a.logical(Op::and_, now, a.negation(a.pre(c.variable))));
  }
  if (!earlier.empty()) {
    active = a.logical(Op::and_, active, a.negation(taken(a, earlier)));
    if (a.system.branches[earlier.back()].taken_initially) branch.active_initially = false;
  }
  branch.taken_initially = branch.active_initially || (!earlier.empty() && a.system.branches[earlier.back()].taken_initially);
  Equation equation;
  equation.left = a.value(branch.active);
  equation.right = active;
  equation.target = quantity(branch.active);
  equation.place = place;
  equation.why = Why::active;
  equation.number = number;
  a.equations.push_back(equation);
  a.system.branches.push_back(std::move(branch));
  return number;
}

void collect_whens(Analysis& a, Normaliser& normalise) {
  std::unordered_map<std::uint32_t, std::pair<std::size_t, Place>> reinit_in;   // state -> when-clause
  for (std::size_t w = 0; w < a.model().whens.size(); ++w) {
    const flat::When when = a.model().whens[w];
    if (w < a.when_clocks.size() && a.when_clocks[w] != none) continue;   // clocked: became equations
    std::vector<std::uint32_t> branches;
    struct Value {
      std::vector<Expr> by_branch, sources;
      Place place;
    };
    std::map<std::uint32_t, Value> assigned;   // ordered: the result must not depend on a hash
    for (std::size_t b = 0; b < when.branches.size(); ++b) {
      const flat::WhenBranch& branch = when.branches[b];
      std::vector<Expr> conditions;
      for (Expr c : branch.conditions) conditions.push_back(normalise(c));
      branches.push_back(make_branch(a, conditions, branch.conditions, branch.place, branches, Expr::none));
      for (const flat::WhenAction& action : branch.body) {
        if (const auto* set = std::get_if<flat::WhenAssignment>(&action.node)) {
          Value& value = assigned[index(set->target)];
          value.by_branch.resize(when.branches.size(), Expr::none);
          value.sources.resize(when.branches.size(), Expr::none);
          if (value.by_branch[b] != Expr::none)
            a.error(set->place, fmt::format("{} is assigned twice in one when-clause", a.name(set->target)),
                    "leave one of the two", {{value.place, "the other one is here"}});
          value.by_branch[b] = normalise(set->value);
          value.sources[b] = set->value;
          if (!value.place || b == 0) value.place = set->place;
          continue;
        }
        WhenEffect effect;
        effect.branch = branches.back();
        effect.guard = action.guard == Expr::none ? Expr::none : normalise(action.guard);
        if (const auto* r = std::get_if<flat::Reinit>(&action.node)) {
          const auto [it, fresh] = reinit_in.try_emplace(index(r->state), w, r->place);
          if (!fresh && it->second.first != w)
            a.error(r->place, fmt::format("reinit of {} stands in two when-clauses", a.name(r->state)),
                    "put both into one when-clause with elsewhen", {{it->second.second, "the other one is here"}});
          effect.node = flat::Reinit{r->state, normalise(r->value), r->place};
        } else if (const auto* check = std::get_if<flat::Assertion>(&action.node)) {
          flat::Assertion copy = *check;
          copy.condition = normalise(copy.condition);
          copy.message = normalise.quiet(copy.message);
          effect.node = copy;
        } else if (const auto* t = std::get_if<flat::Termination>(&action.node)) {
          effect.node = flat::Termination{normalise.quiet(t->message), t->place};
        }
        a.system.effects.push_back(std::move(effect));
      }
    }
    for (const auto& [number, value] : assigned) {
      const auto v = static_cast<VariableId>(number);
      const auto [it, fresh] = a.assigned_by.try_emplace(number, value.place);
      if (!fresh) {
        complain_of_two(a, v, it->second, value.place);
        continue;
      }
      Expr result = a.pre(v);
      for (std::size_t b = branches.size(); b-- > 0;) {
        if (value.by_branch[b] == Expr::none) {
          a.error(when.branches[b].place,
                  fmt::format("{} is assigned in another branch of this when-clause but not in this one (MLS 8.3.5.2)", a.name(v)),
                  fmt::format("assign it here too, for instance {0} = pre({0})", a.variable(v).name),
                  {{value.place, "assigned here"}});
          continue;
        }
        result = a.choice(a.value(a.system.branches[branches[b]].active), value.by_branch[b], result);
      }
      Equation e;
      e.left = a.value(v);
      e.right = result;
      e.target = quantity(v);
      e.place = value.place;
      e.why = Why::when;
      e.number = branches.front();
      e.source_left = e.left;
      e.source_right = value.sources.front();
      a.equations.push_back(e);
    }
  }
}

}  // namespace mosim::compiler::dae
