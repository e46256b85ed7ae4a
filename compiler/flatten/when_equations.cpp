// When-equations (MLS 8.3.5).

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

using Actions = std::vector<flat::WhenAction>;

void when_body(Instances& in, parser::List<parser::Equation> body, const Environment& env, Expr guard, Actions& out);
void when_equation_in_body(Instances& in, const parser::Equation& e, const Environment& env, Expr guard, Actions& out);

/// A component keeps its own balance: no variable of a model or block below is set in a when-clause (MLS 4.5.3).
bool check_own_variable(Instances& in, VariableId v, const Environment& env, Place place) {
  const Component* c = in.variable_elements[index(v)].component;
  const std::string& own = env.scope->prefix;
  if (c->name.compare(0, own.size(), own) != 0) return true;   // an inner one, from above
  for (const Class* o = c->member->owner; o && o->prefix.size() > own.size(); o = o->parent_object)
    if (o->kind() == parser::ClassKind::model || o->kind() == parser::ClassKind::block) {
      in.error(place, fmt::format("{} belongs to a component of the class {} and cannot be set here in a when-clause", in.model.variable(v).name, o->path),
               "set it inside that class, or use a connector", {{c->member->place, "declared here"}});
      return false;
    }
  return true;
}

bool is_set(const Actions& actions, VariableId v) {
  return std::any_of(actions.begin(), actions.end(), [&](const flat::WhenAction& a) {
    const auto* s = std::get_if<flat::WhenAssignment>(&a.node);
    return s && s->target == v;
  });
}

/// In a clocked when-equation any equation may stand (MLS 16.6).
void general_equation(Instances& in, const parser::Equation& e, const parser::SimpleEquation& s, const Environment& env, Expr guard, Actions& out) {
  auto left = elaborate(in, *s.left, env);
  auto right = elaborate(in, *s.right, env);
  if (!left || !right || !match_sides(in, *left, *right, e.place)) return;
  if (guard != Expr::none) {
    in.error(e.place, "in an if-equation of a clocked when-equation, a variable stands alone on the left side", "solve it for the variable that it sets: `v = ...`");
    return;
  }
  std::vector<Expr> lefts, rights;
  append_leaves(*left, lefts);
  append_leaves(*right, rights);
  for (std::size_t k = 0; k < lefts.size() && k < rights.size(); ++k)
    out.push_back({Expr::none, flat::ClockedEquation{lefts[k], rights[k], e.place}});
}

/// target = value, element by element.
void when_targets(Instances& in, const parser::Equation& e, Place place, Value left, Value right, const Environment& env, Actions& out) {
  if (left.dims != right.dims) {
    match_sides(in, left, right, e.place);
    return;
  }
  const std::string what = fmt::format("the value of {}", in.workspace.sources.text(place));
  if (left.record ? !unify_records(in, left, right, e.place, what) : !convert(in, right, left.type, e.place, what)) return;
  auto& ex = in.model.expressions;
  std::vector<Expr> targets, values;
  append_leaves(left, targets);
  append_leaves(right, values);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const VariableId v = ex.variable(targets[k]);
    if (left.record && in.model.variable(v).variability <= flat::Variability::parameter) {
      compare_fixed_part(in, v, values[k], e.place);
      continue;
    }
    if (!check_not_parameter(in, v, e.place)) continue;
    if (env.clocked && is_set(out, v)) {   // an equation like others: this one may determine what stands on its right side
      out.push_back({Expr::none, flat::ClockedEquation{targets[k], values[k], e.place}});
      continue;
    }
    if (!env.clocked && !check_own_variable(in, v, env, e.place)) continue;
    out.push_back({Expr::none, flat::WhenAssignment{v, values[k], e.place}});
  }
}

/// (a, , b) = f(x)
void when_results(Instances& in, const parser::Equation& e, const parser::Tuple& targets, const parser::Expression& right,
                  const Environment& env, Actions& out) {
  auto results = results_for(in, e, targets, right, env);
  if (!results) return;
  for (std::size_t k = 0; k < targets.members.size(); ++k) {
    if (!targets.members[k]) continue;
    const auto* target = std::get_if<parser::Reference>(&targets.members[k]->node);
    if (!target) {
      in.error(targets.members[k]->place, "a result goes to a variable");
      continue;
    }
    auto left = elaborate_reference(in, target->name, env);
    if (left) when_targets(in, e, targets.members[k]->place, std::move(*left), std::move((*results)[k]), env, out);
  }
}

void when_assignment(Instances& in, const parser::Equation& e, const parser::SimpleEquation& s, const Environment& env,
                     Expr guard, Actions& out) {
  if (const auto* results = std::get_if<parser::Tuple>(&s.left->node)) {
    when_results(in, e, *results, *s.right, env, out);
    return;
  }
  const auto* target = std::get_if<parser::Reference>(&s.left->node);
  if (!target && env.clocked) return general_equation(in, e, s, env, guard, out);
  if (!target) {
    in.error(e.place, "an equation in a when-equation has a variable alone on its left side",
             "solve it for the variable that it sets: `v = ...`");
    return;
  }
  auto left = elaborate_reference(in, target->name, env);
  auto right = elaborate(in, *s.right, env);
  if (!left || !right) return;
  when_targets(in, e, s.left->place, std::move(*left), std::move(*right), env, out);
}

void when_reinit(Instances& in, const parser::Expression& e, const parser::Call& call, const Environment& env,
                 Expr guard, Actions& out) {
  const auto& positional = call.arguments.positional;
  if (positional.size() != 2 || !call.arguments.named.empty()) {
    in.error(e.place, "reinit takes a state and its new value: reinit(x, value)");
    return;
  }
  const auto* target = std::get_if<parser::Reference>(&positional[0]->node);
  if (!target) {
    in.error(positional[0]->place, "the first argument of reinit must be a variable that is a state");
    return;
  }
  auto state = elaborate_reference(in, target->name, env);
  auto value = elaborate(in, *positional[1], env);
  if (!state || !value) return;
  if (state->type.base != BaseType::real) {
    in.error(positional[0]->place, fmt::format("reinit is for states, which are Real; this is {}", type_name(in, state->type)),
             "set a discrete variable with an equation: `v = value`");
    return;
  }
  if (!convert(in, *value, real_type, positional[1]->place, "the new value of a state") ||
      !match_sides(in, *state, *value, e.place))
    return;
  for (std::size_t k = 0; k < state->elements.size(); ++k)
    out.push_back({guard, flat::Reinit{in.model.expressions.variable(state->elements[k]), value->elements[k], e.place}});
}

void when_if(Instances& in, const parser::Equation& e, const parser::IfEquation& i, const Environment& env, Expr guard,
             Actions& out) {
  auto& ex = in.model.expressions;
  struct Branch {
    Expr condition;
    Actions actions;
    Place place;
  };
  std::vector<Branch> branches;
  Expr earlier = guard;
  for (const auto& b : i.branches) {
    Expr condition = Expr::none, inner = earlier;
    if (b.condition) {
      Environment reached = env;
      reached.path = earlier;   // E14: only if no condition before it holds
      auto v = elaborate(in, *b.condition, reached);
      if (!v || !v->scalar() || !convert(in, *v, boolean_type, b.condition->place, "a condition")) return;
      condition = v->only();
      const Expr known = in.evaluated(condition);
      if (known != Expr::none && !ex.payload(known)) continue;
      if (known != Expr::none) condition = Expr::none;   // this branch is the last that counts
    }
    if (condition != Expr::none) {
      inner = both(in, earlier, condition, b.place);
      earlier = both(in, earlier, negated(in, condition, b.place), b.place);
    }
    branches.push_back({condition, {}, b.place});
    when_body(in, b.body, env, inner, branches.back().actions);
    if (condition == Expr::none) break;
  }
  if (branches.empty()) return;
  // Reinits, assertions and terminations carry their guard; assignments of one variable become one.
  std::vector<VariableId> targets;
  for (Branch& b : branches)
    for (flat::WhenAction& a : b.actions) {
      if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node)) {
        if (std::find(targets.begin(), targets.end(), s->target) == targets.end()) targets.push_back(s->target);
      } else {
        out.push_back(a);
      }
    }
  for (VariableId t : targets) {
    Expr value = Expr::none;
    Place place = e.place;
    for (std::size_t b = branches.size(); b-- > 0;) {
      const flat::WhenAssignment* found = nullptr;
      for (const flat::WhenAction& a : branches[b].actions)
        if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node); s && s->target == t) found = s;
      const bool last = b + 1 == branches.size();
      if (!found || (last && branches[b].condition != Expr::none)) {
        in.error(e.place, fmt::format("{} is set in one branch of this if-equation and not in all", in.model.variable(t).name),
                 fmt::format("add an else, or the missing branch, with {0} = pre({0})", in.model.variable(t).name),
                 {{found ? found->place : branches[b].place, found ? "set here" : "the branch without it"}});
        return;
      }
      place = found->place;
      value = last ? found->value
                   : ex.make(Op::if_, ex.type(found->value), {branches[b].condition, found->value, value}, branches[b].place);
    }
    out.push_back({Expr::none, flat::WhenAssignment{t, value, place}});
  }
}

void when_body(Instances& in, parser::List<parser::Equation> body, const Environment& env, Expr guard, Actions& out) {
  for (const parser::Equation& e : body) {
    std::vector<flat::Assertion> called;
    const AssertionsTo here(in, &called);
    when_equation_in_body(in, e, env, guard, out);
    for (flat::Assertion& a : called) out.push_back({guard, std::move(a)});
  }
}

void when_equation_in_body(Instances& in, const parser::Equation& e, const Environment& env, Expr guard, Actions& out) {
  if (const auto* s = std::get_if<parser::SimpleEquation>(&e.node)) {
    when_assignment(in, e, *s, env, guard, out);
  } else if (const auto* c = std::get_if<parser::CallEquation>(&e.node)) {
    const std::string_view name = simple_callee(in, *c->call);
    const auto* call = std::get_if<parser::Call>(&c->call->node);
    if (name == "reinit") {
      when_reinit(in, *c->call, *call, env, guard, out);
    } else if (name == "assert") {
      if (auto a = elaborate_assert(in, *c->call, *call, env)) out.push_back({guard, std::move(*a)});
    } else if (name == "terminate") {
      if (auto t = elaborate_terminate(in, *c->call, *call, env)) out.push_back({guard, std::move(*t)});
    } else {
      if (auto calls = call_for_effect(in, *c->call, env))
        for (flat::Assertion& a : *calls) out.push_back({guard, std::move(a)});
    }
  } else if (const auto* i = std::get_if<parser::IfEquation>(&e.node)) {
    when_if(in, e, *i, env, guard, out);
  } else if (const auto* f = std::get_if<parser::ForEquation>(&e.node)) {
    for_each_iteration(in, f->indices, env, f->body, [&](const Iteration& iteration) {
      when_body(in, f->body, iteration.environment(), guard, out);
      return true;
    });
  } else if (std::holds_alternative<parser::WhenEquation>(e.node)) {
    in.error(e.place, "a when-equation cannot stand inside another", "join the two conditions with `and`");
  } else {
    in.error(e.place, "a connection cannot stand inside a when-equation: it holds always or never");
  }
}

}  // namespace

void flatten_when(Instances& in, const parser::Equation& e, const parser::WhenEquation& w, const Environment& env,
                  bool initial, Collected& out) {
  if (initial) {
    in.error(e.place, "a when-equation cannot stand among initial equations", "write its body without the when");
    return;
  }
  flat::When result;
  result.place = e.place;
  for (const auto& b : w.branches) {
    flat::WhenBranch branch;
    bool good = true;
    branch.conditions = when_conditions(in, *b.condition, env, branch.clocked, good);
    if (!good) return;
    branch.place = b.condition->place;
    if (branch.clocked && w.branches.size() > 1) {
      in.error(b.condition->place, "a clocked when-equation has no elsewhen", "write a when-equation of its own");
      return;
    }
    Environment inner = env;
    inner.literal = true;
    inner.in_when = true;
    inner.path = Expr::none;
    inner.conditional = true;
    inner.clocked = branch.clocked;
    when_body(in, b.body, inner, Expr::none, branch.body);
    result.branches.push_back(std::move(branch));
  }
  // All branches must set the same variables (MLS 8.3.5.2).
  const auto targets = [](const flat::WhenBranch& b) {
    std::vector<VariableId> t;
    for (const flat::WhenAction& a : b.body)
      if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node)) t.push_back(s->target);
    std::sort(t.begin(), t.end());
    return t;
  };
  for (const flat::WhenBranch& b : result.branches) {
    const auto t = targets(b);
    if (const auto twice = std::adjacent_find(t.begin(), t.end()); twice != t.end())
      in.error(b.place, fmt::format("{} is set twice in one when-equation", in.model.variable(*twice).name),
               "an equation holds once; in an algorithm the later statement would win");
    std::vector<VariableId> missing;
    const auto first = targets(result.branches.front());
    std::set_symmetric_difference(t.begin(), t.end(), first.begin(), first.end(), std::back_inserter(missing));
    if (!missing.empty())
      in.error(b.place,
               fmt::format("{} is set in one branch of this when-equation and not in all", in.model.variable(missing.front()).name),
               fmt::format("add {0} = pre({0}) to the branch that lacks it", in.model.variable(missing.front()).name));
  }
  out.whens.push_back(std::move(result));
}

namespace {

/// `initial()` itself: the one form that enables a when-clause at initialisation (MLS 8.6).
bool is_initial_itself(Instances& in, const parser::Expression& e) { return simple_callee(in, e) == "initial"; }

/// Another expression that comes to the same, like a call f(initial()), is an ordinary condition.
void keep_initial_itself(Instances& in, const parser::Expression& condition, std::vector<Expr>& elements) {
  auto& ex = in.model.expressions;
  const auto* vector = std::get_if<parser::ArrayConstructor>(&condition.node);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (ex.op(elements[k]) != Op::initial) continue;
    const bool own = vector ? k < vector->elements.size() && is_initial_itself(in, *vector->elements[k]) : is_initial_itself(in, condition);
    if (!own) elements[k] = ex.make(Op::and_, BaseType::boolean, {elements[k], ex.boolean(true)}, condition.place);
  }
}

}  // namespace

std::vector<Expr> when_conditions(Instances& in, const parser::Expression& condition, const Environment& env,
                                  bool& clocked, bool& good) {
  good = false;
  clocked = false;
  auto v = elaborate(in, condition, env);
  if (!v) return {};
  if (v->type.base == BaseType::clock && v->scalar()) {
    clocked = good = true;
    return v->elements;
  }
  if (v->dims.size() > 1) {
    in.error(condition.place, "a when-condition is a Boolean or a vector of Booleans");
    return {};
  }
  if (v->elements.empty()) {
    v->type = boolean_type;
    in.diagnostics.push_back({parser::Severity::warning, condition.place, "this when-clause has no conditions, and so it never fires", "a vector of size 0 has no element that could become true", {}});
  }
  if (!convert(in, *v, boolean_type, condition.place, "a when-condition")) return {};
  for (Expr e : v->elements)
    if (variability(in.model, e) == flat::Variability::continuous) {
      in.error(condition.place, "a when-condition must change at events alone; this one varies between them",
               "take it out of noEvent or smooth, and compare with < or > where it stands: without an event nothing becomes true");
      return {};
    }
  keep_initial_itself(in, condition, v->elements);
  good = true;
  return v->elements;
}

}  // namespace mosim::compiler
