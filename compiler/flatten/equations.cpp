// Equations: for loops unrolled, if-equations made if-expressions (MLS 8).

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/loop_template.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

bool match_sides(Instances& in, Value& left, Value& right, Place place, std::string remedy) {
  if (left.dims != right.dims) {
    in.error(place, fmt::format("the sides of this equation have different sizes, {} and {}",
                                left.dims.empty() ? "scalar" : shape_text(left.dims),
                                right.dims.empty() ? "scalar" : shape_text(right.dims)),
             std::move(remedy));
    return false;
  }
  return unify(in, left, right, place, "an equation");
}

bool check_discrete(Instances& in, VariableId v, Expr value, Place place, bool of_parts) {
  flat::Variable& variable = in.model.variables[index(v)];
  if (variable.type == BaseType::real || variable.type == BaseType::clock) return true;
  if (variability(in.model, value) < flat::Variability::continuous) return true;
  if (of_parts && (in.library.in_library(variable.place) || in.library.in_library(place))) {
    variable.variability = flat::Variability::continuous;
    return true;
  }
  std::string remedy = fmt::format("declare {} Real", variable.name);
  if (in.workspace.sources.text(place).find("noEvent") != std::string_view::npos)
    remedy = "remove the noEvent, or " + remedy;
  else if (variable.type == BaseType::integer)
    remedy = fmt::format("round it: integer({}), which is an event, or {}", print_brief(in.model, value), remedy);
  in.error(place, fmt::format("{} is {} and changes at events alone, but its value here varies between them",
                              variable.name, type_name(in, Type{variable.type, variable.enumeration})),
           std::move(remedy), {{variable.place, "declared here"}});
  return false;
}

bool check_condition(Instances& in, VariableId v, Place condition, Place place) {
  const flat::Variable& variable = in.model.variable(v);
  if (variable.type == BaseType::real || variable.type == BaseType::clock) return true;
  in.error(place, fmt::format("{} is {} and changes at events alone, but the condition here varies between them", variable.name,
                              type_name(in, Type{variable.type, variable.enumeration})),
           fmt::format("declare {} Real", variable.name), {{condition, "the condition; relations in noEvent, and those of a while loop, are no events"}});
  return false;
}

bool check_not_parameter(Instances& in, VariableId v, Place place) {
  const flat::Variable& variable = in.model.variable(v);
  if (variable.variability > flat::Variability::parameter) return true;
  in.error(place, fmt::format("{} is a {} and cannot be set here", variable.name,
                              variable.variability == flat::Variability::constant ? "constant" : "parameter"),
           "give it a value where it is declared, or declare it without that prefix",
           {{variable.place, "declared here"}});
  return false;
}

namespace {

constexpr double rounding = 1e-14;   // of values that are found in two ways

}  // namespace

void compare_fixed_part(Instances& in, VariableId v, Expr value, Place place) {
  auto& ex = in.model.expressions;
  const flat::Variable& variable = in.model.variable(v);
  const Expr own = ex.variable(v, variable.type, place), now = in.evaluated(own), other = in.evaluated(value);
  if (now != Expr::none && other != Expr::none) {
    const bool same = now == other || (ex.is_number(now) && ex.is_number(other) && std::abs(ex.number(now) - ex.number(other)) <= rounding * std::max(std::abs(ex.number(now)), std::abs(ex.number(other))));
    if (!same)
      in.error(place, fmt::format("{} is a {} with the value {}, and would have to be {}", variable.name, variable.variability == flat::Variability::constant ? "constant" : "parameter",
                                  print_brief(in.model, now), print_brief(in.model, other)),
               "set the other elements of the record one by one", {{variable.place, "declared here"}});
    return;
  }
  if (variability(in.model, value) > flat::Variability::parameter) {
    (void)check_not_parameter(in, v, place);
    return;
  }
  Expr same;
  if (variable.type == BaseType::real) {
    const Expr distance = ex.make(Op::abs, BaseType::real, {ex.make(Op::subtract, BaseType::real, {own, value}, place)}, place);
    const auto share = [&](Expr e) { return ex.make(Op::multiply, BaseType::real, {ex.real(rounding), ex.make(Op::abs, BaseType::real, {e}, place)}, place); };
    same = ex.make(Op::less_equal, BaseType::boolean, {distance, ex.make(Op::add, BaseType::real, {share(own), share(value)}, place)}, place, true);
  } else {
    same = ex.make(Op::equal, BaseType::boolean, {own, value}, place, true);
  }
  in.model.assertions.push_back({same,
                                 ex.string(fmt::format("{} and {} stand for each other in records and have different values", variable.name, print_brief(in.model, value))), false, place});
}

std::optional<std::vector<Value>> results_for(Instances& in, const parser::Equation& e, const parser::Tuple& targets,
                                              const parser::Expression& right, const Environment& env) {
  const auto* call = std::get_if<parser::Call>(&right.node);
  if (!call) {
    in.error(right.place, "a list of results needs a function call on the right");
    return {};
  }
  auto results = elaborate_results(in, right, *call, env);
  if (!results || results->size() >= targets.members.size()) return results;
  in.error(e.place, fmt::format("this function has {} results, not {}", results->size(), targets.members.size()));
  return {};
}

namespace {

void equate(Instances& in, const parser::Equation& e, Value left, Value right, bool initial, Collected& out, bool of_parts = false);
void equate(Instances& in, const parser::Equation& e, std::span<const Expr> left, std::span<const Expr> right, bool initial, Collected& out, bool of_parts);

/// (a, , b) = f(x)
void result_equations(Instances& in, const parser::Equation& e, const parser::Tuple& targets,
                      const parser::Expression& right, const Environment& env, bool initial, Collected& out) {
  auto results = results_for(in, e, targets, right, env);
  if (!results) return;
  for (std::size_t k = 0; k < targets.members.size(); ++k) {
    if (!targets.members[k]) continue;
    auto left = elaborate(in, *targets.members[k], env);
    if (left) equate(in, e, std::move(*left), std::move((*results)[k]), initial, out, true);
  }
}

bool is_loop_index(const parser::Expression& e, const Environment& env) {
  const auto* r = std::get_if<parser::Reference>(&e.node);
  if (!r || r->name.global || r->name.parts.size() != 1 || !r->name.parts.front().subscripts.empty()) return false;
  for (const Locals* l = env.locals; l; l = l->outer)
    if (l->name == r->name.parts.front().name) return true;
  return false;
}

/// A whole connector, by its name.
bool is_connector_name(Instances& in, const parser::Expression& e, const Environment& env) {
  const auto* name = std::get_if<parser::Reference>(&e.node);
  if (!name) return false;
  const Quietly quietly(in);
  const auto resolved = resolve(in, name->name, env);
  return resolved && !resolved->removed && resolved->last && resolved->last->is_connector && !resolved->last->basic;
}

void simple_equation(Instances& in, const parser::Equation& e, const parser::SimpleEquation& s, const Environment& env,
                     bool initial, Collected& out) {
  if (const auto* results = std::get_if<parser::Tuple>(&s.left->node)) {
    result_equations(in, e, *results, *s.right, env, initial, out);
    return;
  }
  if (is_connector_name(in, *s.left, env) && is_connector_name(in, *s.right, env)) {
    const auto text = [&](const parser::Expression& side) { return in.workspace.sources.text(side.place); };
    in.error(e.place, fmt::format("{} and {} are connectors: they are connected, not equal", text(*s.left), text(*s.right)),
             fmt::format("write connect({}, {})", text(*s.left), text(*s.right)));
    return;
  }
  auto left = elaborate(in, *s.left, env);
  auto right = elaborate(in, *s.right, env);
  if (left && right && right->scalar() && is_loop_index(*s.left, env) && in.evaluated(right->only()) != Expr::none) {
    in.error(e.place, fmt::format("{} is the index of a for loop and cannot be set", in.workspace.sources.text(s.left->place)),
             "the loop gives it its values");
    return;
  }
  if (!left || !right) return;
  if (left->dims != right->dims) {
    const std::string remedy = other_size_instead(in, *s.right, left->dims, env);
    match_sides(in, *left, *right, e.place, remedy.empty() ? other_size_instead(in, *s.left, right->dims, env) : remedy);
    return;
  }
  equate(in, e, std::move(*left), std::move(*right), initial, out);
}

bool is_part_of_record(const Instances& in, VariableId v) {
  const Class* owner = in.variable_elements[index(v)].component->member->owner;
  return owner->kind() == parser::ClassKind::record || owner->kind() == parser::ClassKind::operator_record;
}

/// left = right, element by element.
void equate(Instances& in, const parser::Equation& e, Value left_value, Value right_value, bool initial, Collected& out, bool of_parts) {
  Value *left = &left_value, *right = &right_value;
  if (!match_sides(in, *left, *right, e.place)) return;
  if (left->record) {   // MLS 8.3.1: element by element
    for (std::size_t m = 0; m < left->members.size(); ++m)
      equate(in, e, std::move(left->members[m]), std::move(right->members[m]), initial, out, true);
    return;
  }
  equate(in, e, left->elements, right->elements, initial, out, of_parts);
}

/// Of one type, and as many.
void equate(Instances& in, const parser::Equation& e, std::span<const Expr> left, std::span<const Expr> right, bool initial, Collected& out, bool of_parts) {
  auto& ex = in.model.expressions;
  // A constant or parameter of a record, unless it is to be found at the start.
  const auto is_fixed_part = [&](Expr side) {
    if (!of_parts || ex.op(side) != Op::variable || !is_part_of_record(in, ex.variable(side))) return false;
    const flat::Variable& v = in.model.variable(ex.variable(side));
    return v.variability <= flat::Variability::parameter && !(initial && v.fixed != Expr::none && ex.op(v.fixed) == Op::boolean && !ex.payload(v.fixed));
  };
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Expr l = left[k], r = right[k];
    // At the start, what is not known yet may be found by it.
    const auto is_fixed = [&](Expr side) { return variability(in.model, side) <= flat::Variability::parameter && (!initial || is_fixed_part(side) || in.evaluated(side) != Expr::none); };
    if ((is_fixed_part(l) && is_fixed(r)) || (is_fixed_part(r) && is_fixed(l))) {
      compare_fixed_part(in, ex.variable(is_fixed_part(l) ? l : r), is_fixed_part(l) ? r : l, e.place);
      continue;
    }
    if (ex.op(l) == Op::variable) {
      const VariableId v = ex.variable(l);
      const Expr fixed = in.model.variable(v).fixed;
      const bool free = initial && fixed != Expr::none && ex.op(fixed) == Op::boolean && !ex.payload(fixed);
      if (!free && in.model.variable(v).variability <= flat::Variability::parameter &&
          variability(in.model, r) <= flat::Variability::parameter && !initial) {
        (void)check_not_parameter(in, v, e.place);
        continue;
      }
      if (!initial && in.model.variable(v).variability > flat::Variability::parameter && !check_discrete(in, v, r, e.place, of_parts)) continue;
    }
    out.equations.push_back({l, r, e.place, in.labels(e.description.text), VariableId::none});
  }
}

// ---- if-equations (MLS 8.3.4) ---------------------------------------------------------------------------------------

struct IfBranch {
  Expr condition;      // none: else
  Collected body;
  Place place;
};

/// Brings the equations of a branch into the order of the first one, by their left sides.
void align(std::vector<flat::Equation>& equations, const std::vector<flat::Equation>& model) {
  for (std::size_t i = 0; i < equations.size() && i < model.size(); ++i) {
    const auto same = std::find_if(equations.begin() + static_cast<std::ptrdiff_t>(i), equations.end(),
                                   [&](const flat::Equation& e) { return e.left == model[i].left; });
    if (same != equations.end()) std::iter_swap(equations.begin() + static_cast<std::ptrdiff_t>(i), same);
  }
}

/// The first branch whose condition varies between events.
const IfBranch* varying_branch(Instances& in, const std::vector<IfBranch>& branches) {
  for (const IfBranch& b : branches)
    if (b.condition != Expr::none && variability(in.model, b.condition) == flat::Variability::continuous) return &b;
  return nullptr;
}

void merge_branches(Instances& in, std::vector<IfBranch>& branches, Place place, bool initial, Collected& out) {
  auto& ex = in.model.expressions;
  // Assertions hold under their branch's condition: not guard or condition.
  Expr earlier = Expr::none;
  for (IfBranch& b : branches) {
    Expr guard = earlier;
    if (b.condition != Expr::none) {
      guard = both(in, earlier, b.condition, b.place);
      earlier = both(in, earlier, negated(in, b.condition, b.place), b.place);
    }
    for (flat::Assertion& a : b.body.assertions) {
      if (guard != Expr::none)
        a.condition = ex.make(Op::or_, BaseType::boolean, {negated(in, guard, a.place), a.condition}, a.place);
      out.assertions.push_back(std::move(a));
    }
    for (flat::Termination& t : b.body.terminations) {
      if (guard != Expr::none) t.condition = t.condition == Expr::none ? guard : both(in, guard, t.condition, t.place);
      out.terminations.push_back(t);
    }
    for (const flat::When& w : b.body.whens)
      in.error(w.place, "a when-equation cannot stand in an if-equation whose condition varies",
               "put the condition into the when-condition with `and`");
  }
  if (branches.back().condition != Expr::none) {
    // Without else, the branches may hold no equations.
    for (const IfBranch& b : branches)
      if (!b.body.equations.empty()) {
        in.error(place, "this if-equation has no else, so its equations are missing when no condition holds",
                 "add an else with as many equations", {{b.body.equations.front().place, "this one would be missing"}});
        return;
      }
    return;
  }
  const auto& first = branches.front().body.equations;
  for (IfBranch& b : branches) {
    if (b.body.equations.size() == first.size()) {
      align(b.body.equations, first);
      continue;
    }
    in.error(place, fmt::format("the branches of this if-equation have {} and {} equations", first.size(),
                                b.body.equations.size()),
             "every branch needs as many equations as the others", {{b.place, "the branch that differs"}});
    return;
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    const flat::Equation& model = first[k];
    const bool one_left = std::all_of(branches.begin(), branches.end(),
                                      [&](const IfBranch& b) { return b.body.equations[k].left == model.left; });
    const BaseType type = ex.type(model.left);
    if (!one_left && type != BaseType::real && type != BaseType::integer) {
      in.error(model.place, "the branches of an if-equation must set the same variables, as this one is no number",
               "write `v = if ... then ... else ...`");
      continue;
    }
    const bool real_side = std::any_of(branches.begin(), branches.end(), [&](const IfBranch& b) { return ex.type(b.body.equations[k].right) == BaseType::real; });
    const BaseType value_type = !one_left || real_side ? BaseType::real : type;
    const auto side = [&](const flat::Equation& e) {
      return one_left ? e.right : ex.make(Op::subtract, BaseType::real, {e.left, e.right}, e.place);
    };
    Expr value = side(branches.back().body.equations[k]);
    for (std::size_t b = branches.size() - 1; b-- > 0;)
      value = ex.make(Op::if_, value_type,
                      {branches[b].condition, side(branches[b].body.equations[k]), value}, branches[b].place);
    if (one_left && ex.op(model.left) == Op::variable && !initial)
      if (const IfBranch* b = varying_branch(in, branches);
          b && !check_condition(in, ex.variable(model.left), ex.place(b->condition), model.place))
        continue;
    if (one_left)
      out.equations.push_back({model.left, value, model.place, model.description, VariableId::none});
    else
      out.equations.push_back({ex.real(0, model.place), value, model.place, model.description, VariableId::none});
  }
}

void if_equation(Instances& in, const parser::Equation& e, const parser::IfEquation& i, const Environment& env,
                 bool initial, Collected& out) {
  auto& ex = in.model.expressions;
  std::vector<IfBranch> branches;
  Environment inner = env;
  Expr earlier = env.path;
  for (const auto& b : i.branches) {
    inner.path = earlier;
    if (b.condition) {
      Environment reached = env;
      reached.path = earlier;   // E14: only if no condition before it holds
      auto condition = elaborate(in, *b.condition, reached);
      if (!condition) return;
      if (!condition->scalar()) {
        in.error(b.condition->place, "the condition of an if must be a scalar");
        return;
      }
      if (!convert(in, *condition, boolean_type, b.condition->place, "a condition")) return;
      const Expr known = in.evaluated(condition->only());
      if (known != Expr::none) {
        if (!ex.payload(known)) continue;
        // Known to be true: this is the last branch that counts.
        branches.push_back({Expr::none, {}, b.place});
        flatten_equations(in, b.body, inner, initial, branches.back().body);
        break;
      }
      branches.push_back({condition->only(), {}, b.place});
      inner.path = both(in, earlier, condition->only(), b.place);
      inner.conditional = true;
      earlier = both(in, earlier, negated(in, condition->only(), b.place), b.place);
    } else {
      branches.push_back({Expr::none, {}, b.place});
    }
    flatten_equations(in, b.body, inner, initial, branches.back().body);
  }
  if (branches.empty()) return;
  if (branches.size() == 1 && branches.front().condition == Expr::none) {
    Collected& c = branches.front().body;
    std::move(c.equations.begin(), c.equations.end(), std::back_inserter(out.equations));
    std::move(c.whens.begin(), c.whens.end(), std::back_inserter(out.whens));
    std::move(c.assertions.begin(), c.assertions.end(), std::back_inserter(out.assertions));
    std::move(c.terminations.begin(), c.terminations.end(), std::back_inserter(out.terminations));
    return;
  }
  merge_branches(in, branches, e.place, initial, out);
}

/// Once some iterations, elaborated on their own, have come out as a template says, the others are what it says. Short loops, of which there
/// may be many, one for each iteration of another, do without.
void for_equation(Instances& in, const parser::ForEquation& f, const Environment& env, bool initial, Collected& out) {
  constexpr int enough = 2, before_template = 2;
  LoopTemplate shape(f.body);
  LoopTemplate::Sides sides;
  int agreed = 0;
  const auto instantiate = [&](const Iteration& iteration, Collected& into, bool work_out) {
    if (!shape.instantiate(in, iteration.numbers(), sides, work_out)) return false;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const auto& [left, right] = sides[k];
      if (left.type == right.type) equate(in, f.body[k], std::span(&left.value, 1), std::span(&right.value, 1), initial, into, false);
      else equate(in, f.body[k], scalar(left.type, left.value), scalar(right.type, right.value), initial, into, false);
    }
    return true;
  };
  const auto agrees = [&](const Iteration& iteration, std::size_t before) {
    Collected again;
    if (out.equations.size() - before != f.body.size() || (agreed == 0 && !shape.make(in, iteration)) || !instantiate(iteration, again, false)) return false;
    return std::equal(again.equations.begin(), again.equations.end(), out.equations.begin() + std::ptrdiff_t(before), out.equations.end(),
                      [](const flat::Equation& a, const flat::Equation& b) { return a.left == b.left && a.right == b.right; });
  };
  bool usable = true;
  int elaborated = 0;
  Expressions& ex = in.model.expressions;
  std::size_t known = 0, made = 0, room_for = 1;   // by the template: iterations
  for_each_iteration(in, f.indices, env, f.body, [&](const Iteration& iteration) {
    if (usable && agreed == enough) {
      if (made == 0) known = ex.known();
      if (made == room_for) {
        // Those to come make as many as those before. Of many, one may be wrong, and the last.
        room_for *= 8;
        ex.expect((ex.known() - known) / made * std::min(iteration.left() + 1, room_for - made));
      }
      if (instantiate(iteration, out, true)) {
        ++made;
        return true;
      }
    }
    const std::size_t before = out.equations.size(), said = in.diagnostics.size();
    flatten_equations(in, f.body, iteration.environment(), initial, out);
    if (agreed == enough || !usable || ++elaborated <= before_template) return true;
    usable = in.diagnostics.size() == said && agrees(iteration, before);
    ++agreed;
    return true;
  });
}

}  // namespace

void flatten_equations(Instances& in, parser::List<parser::Equation> equations, const Environment& env, bool initial,
                       Collected& out) {
  for (const parser::Equation& e : equations) {
    if (const auto* s = std::get_if<parser::SimpleEquation>(&e.node)) {
      simple_equation(in, e, *s, env, initial, out);
    } else if (const auto* c = std::get_if<parser::CallEquation>(&e.node)) {
      const std::string_view name = simple_callee(in, *c->call);
      const auto* call = std::get_if<parser::Call>(&c->call->node);
      if (name == "assert") {
        if (auto a = elaborate_assert(in, *c->call, *call, env)) out.assertions.push_back(std::move(*a));
      } else if (name == "terminate") {
        if (auto t = elaborate_terminate(in, *c->call, *call, env)) out.terminations.push_back(std::move(*t));
      } else if (name == "reinit") {
        in.error(c->call->place, "reinit can only stand in a when-equation: a state jumps at an event",
                 "put it into `when condition then ... end when`");
      } else if (call && !initial && is_graph_equation(in, *c->call, env)) {
        // Seen to with the connections (connect.cpp).
      } else if (call && !initial && !machine_equation(in, *c->call, env).empty()) {
        // Seen to with the state machines (state_machines.cpp).
      } else if (call) {
        if (auto calls = call_for_effect(in, *c->call, env)) std::move(calls->begin(), calls->end(), std::back_inserter(out.assertions));
      } else {
        in.error(c->call->place, "this is an expression, not an equation", "write `left = right`");
      }
    } else if (const auto* i = std::get_if<parser::IfEquation>(&e.node)) {
      if_equation(in, e, *i, env, initial, out);
    } else if (const auto* f = std::get_if<parser::ForEquation>(&e.node)) {
      for_equation(in, *f, env, initial, out);
    } else if (const auto* w = std::get_if<parser::WhenEquation>(&e.node)) {
      flatten_when(in, e, *w, env, initial, out);
    } else {
      // A connect-equation: seen to with all the others (connect.cpp).
      if (initial) in.error(e.place, "a connection cannot stand among initial equations", "move it to the equation section");
    }
  }
}

}  // namespace mosim::compiler
