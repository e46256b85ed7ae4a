// Algorithms: statements over scalar variables (MLS 11).

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/statements/breaks.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler {

namespace {

void add(flat::Statements& out, Place place, decltype(flat::Statement::node) node) {
  out.push_back({place, std::move(node)});
}

bool mentions(const Expressions& ex, Expr e, const std::unordered_set<VariableId>& variables) {
  std::unordered_set<Expr> seen;
  std::vector<Expr> stack{e};
  while (!stack.empty()) {
    const Expr x = stack.back();
    stack.pop_back();
    if (!seen.insert(x).second) continue;
    if (ex.op(x) == Op::variable && variables.contains(ex.variable(x))) return true;
    for (Expr c : ex.children(x)) stack.push_back(c);
  }
  return false;
}

/// An initial algorithm sets parameters with fixed = false (MLS 8.6).
bool is_settable(const Instances& in, VariableId v, const Environment& env) {
  const Expr fixed = in.model.variable(v).fixed;
  const auto& ex = in.model.expressions;
  return env.initial && fixed != Expr::none && ex.op(fixed) == Op::boolean && !ex.payload(fixed);
}
bool check_settable(Instances& in, VariableId v, Place place, const Environment& env) {
  return is_settable(in, v, env) || check_not_parameter(in, v, place);
}

/// An input gets its value from outside (MLS 4.4.2.2).
bool check_not_input(Instances& in, VariableId v, Place place, const Environment& env) {
  const Component* c = in.variable_elements[index(v)].component;
  if (c->causality != parser::Causality::input || c->member->owner->prefix != env.scope->prefix) return true;
  in.error(place, fmt::format("{} is an input of {} and cannot be assigned in it", in.text(c->member->name), env.scope->path),
           "declare it output, or without the prefix", {{c->member->place, "declared here"}});
  return false;
}

void assign(Instances& in, Place place, const Value& target_value, const Value& new_value, const Environment& env, flat::Statements& out) {
  auto& ex = in.model.expressions;
  struct {
    std::vector<Expr> elements;
  } target, value;
  append_leaves(target_value, target.elements);
  append_leaves(new_value, value.elements);
  // An array is assigned as a whole: no element's new value may be read for another.
  std::unordered_set<VariableId> assigned;
  for (std::size_t k = 0; k < target.elements.size(); ++k) {
    const VariableId v = ex.variable(target.elements[k]);
    if (!check_settable(in, v, place, env) || !check_not_input(in, v, place, env)) return;
    if (!assigned.empty() && mentions(ex, value.elements[k], assigned)) {
      in.unsupported(place, "assigning an array from its own elements in another order");
      return;
    }
    assigned.insert(v);
  }
  for (std::size_t k = 0; k < target.elements.size(); ++k)
    add(out, place, flat::Assignment{ex.variable(target.elements[k]), value.elements[k]});
}

/// An array of which an element is assigned belongs to the algorithm as a whole (MLS 11.1.2).
void note_array(Instances& in, const parser::ComponentReference& target, const Value& elements, Place place, const Environment& env) {
  if (!env.assigned || target.parts.back().subscripts.empty()) return;
  const auto& ex = in.model.expressions;
  std::vector<Expr> leaves;
  append_leaves(elements, leaves);
  if (leaves.empty()) return;
  const auto note = [&](Expr e) {
    auto [it, fresh] = env.assigned->owned.try_emplace(ex.variable(e), AlgorithmVariables::Owned{env.in_when, place});
    it->second.in_when = it->second.in_when && env.in_when;
  };
  const auto fresh = [&](const void* array) { return env.assigned->seen.insert({array, env.in_when}).second; };
  if (!elements.record) {
    const Component* c = in.variable_elements[index(ex.variable(leaves.front()))].component;
    if (!fresh(c)) return;
    for (std::size_t k = 0; k < c->size(); ++k) note(in.model.expressions.variable(static_cast<VariableId>(index(c->first) + k), c->basic->base));
    return;
  }
  const bool fixed = std::all_of(target.parts.begin(), target.parts.end() - 1, [](const parser::ReferencePart& p) { return p.subscripts.empty(); });
  if (fixed && !fresh(&target)) return;
  std::vector<parser::ReferencePart> parts(target.parts.begin(), target.parts.end());
  parts.back().subscripts = {};
  parser::ComponentReference whole = target;
  whole.parts = parts;
  leaves.clear();
  if (const auto all = elaborate_reference(in, whole, env)) append_leaves(*all, leaves);
  for (Expr e : leaves) note(e);
}

/// Is one of these subscripts known in the run alone?
bool is_dynamic(Instances& in, parser::List<parser::Subscript> subscripts, const std::vector<std::int64_t>& dims, const Environment& env) {
  const Quietly quietly(in);
  for (std::size_t d = 0; d < subscripts.size() && d < dims.size(); ++d) {
    if (!subscripts[d].expression) continue;
    Environment inner = env;
    inner.end_dims = &dims;
    inner.end_types = nullptr;
    inner.end_position = d;
    const auto i = elaborate(in, *subscripts[d].expression, inner);
    if (i && i->scalar() && in.evaluated(i->only()) == Expr::none) return true;
  }
  return false;
}

/// x[i, :] := e where i is known only in the run: every element gets a part of e or itself.
bool dynamic_assignment(Instances& in, const parser::Statement& s, const parser::Assignment& a, const Environment& env,
                        flat::Statements& out) {
  const parser::ReferencePart& last = a.target.parts.back();
  if (last.subscripts.empty()) return false;
  std::vector<parser::ReferencePart> parts(a.target.parts.begin(), a.target.parts.end());
  parts.back().subscripts = {};
  parser::ComponentReference whole = a.target;
  whole.parts = parts;
  std::optional<Value> target;
  {
    const Quietly quietly(in);
    target = elaborate_reference(in, whole, env);
  }
  if (!target || !is_dynamic(in, last.subscripts, target->dims, env)) return false;
  auto value = elaborate(in, *a.value, env);
  if (!value) return true;
  // Which elements are meant is found by taking the same part of 0, 1, 2, ...
  auto& ex = in.model.expressions;
  Value numbers = *target;
  std::int64_t next = 0;
  for_each_leaf(numbers, [&](Value& leaf) {
    leaf.type = integer_type;
    for (Expr& e : leaf.elements) e = ex.integer(next++);
  });
  const auto taken = subscript(in, numbers, last.subscripts, s.place, env);
  auto old = subscript(in, *target, last.subscripts, s.place, env);
  if (!taken || !old) return true;
  if (taken->dims != value->dims) {
    in.error(s.place, fmt::format("the sides of this assignment have different sizes, {} and {}", taken->dims.empty() ? "scalar" : shape_text(taken->dims),
                                  value->dims.empty() ? "scalar" : shape_text(value->dims)));
    return true;
  }
  if (old->record ? !unify_records(in, *old, *value, s.place, "the value assigned") : !convert(in, *value, target->type, s.place, "the value assigned")) return true;
  std::vector<Expr> elements, which, values;
  append_leaves(*target, elements);
  append_leaves(*taken, which);
  append_leaves(*value, values);
  std::unordered_set<VariableId> own;
  for (Expr e : elements) {
    const VariableId v = ex.variable(e);
    if (!check_settable(in, v, s.place, env) || !check_not_input(in, v, s.place, env)) return true;
    own.insert(v);
  }
  const auto reads_own = [&](Expr e) { return mentions(ex, e, own); };
  if (which.size() > 1 && (std::any_of(values.begin(), values.end(), reads_own) || std::any_of(which.begin(), which.end(), reads_own))) {
    in.unsupported(s.place, "assigning a part of an array, at a subscript that is not known before the run, from its own elements");
    return true;
  }
  for (std::size_t j = 0; j < which.size(); ++j)
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const Expr here = ex.make(Op::equal, BaseType::boolean, {which[j], ex.integer(static_cast<std::int64_t>(k), s.place)}, s.place, true);
      add(out, s.place, flat::Assignment{ex.variable(elements[k]), ex.make(Op::if_, ex.type(elements[k]), {here, values[j], elements[k]}, s.place)});
    }
  return true;
}

/// Elements of a record that are constants or parameters are no targets.
void leave_out_fixed(Instances& in, Value& target, Value& value, Place place, const Environment& env) {
  for (std::size_t m = 0; m < target.members.size() && m < value.members.size();) {
    Value &to = target.members[m], &from = value.members[m];
    bool fixed = !to.record && !to.elements.empty();
    for (Expr e : to.elements) {
      const VariableId v = in.model.expressions.variable(e);
      fixed = fixed && in.model.variable(v).variability <= flat::Variability::parameter && !is_settable(in, v, env);
    }
    if (!fixed) {
      if (to.record) leave_out_fixed(in, to, from, place, env);
      ++m;
      continue;
    }
    for (std::size_t k = 0; k < to.elements.size() && k < from.elements.size(); ++k) compare_fixed_part(in, in.model.expressions.variable(to.elements[k]), from.elements[k], place);
    target.members.erase(target.members.begin() + static_cast<std::ptrdiff_t>(m));
    value.members.erase(value.members.begin() + static_cast<std::ptrdiff_t>(m));
  }
}

void assignment(Instances& in, const parser::Statement& s, const parser::Assignment& a, const Environment& env,
                flat::Statements& out) {
  if (a.derivative) {
    in.unsupported(s.place, "assigning the derivative of a variable, der(x) := ...,");
    return;
  }
  std::optional<Value> target;
  {
    const Quietly quietly(in);
    target = elaborate_reference(in, a.target, env);
  }
  if (!target) {
    if (dynamic_assignment(in, s, a, env, out)) return;
    target = elaborate_reference(in, a.target, env);
  }
  auto value = elaborate(in, *a.value, env);
  if (!target || !value) return;
  if (target->dims != value->dims) {
    in.error(s.place, fmt::format("the sides of this assignment have different sizes, {} and {}",
                                  target->dims.empty() ? "scalar" : shape_text(target->dims),
                                  value->dims.empty() ? "scalar" : shape_text(value->dims)),
             other_size_instead(in, *a.value, target->dims, env));
    return;
  }
  const std::string what = fmt::format("the value of {}", in.workspace.sources.text(a.target.place));
  if (target->record ? !unify_records(in, *target, *value, s.place, what) : !convert(in, *value, target->type, s.place, what))
    return;
  note_array(in, a.target, *target, s.place, env);
  if (target->record) leave_out_fixed(in, *target, *value, s.place, env);
  assign(in, s.place, *target, *value, env, out);
}

/// (a, , b) := f(x)
void multiple_assignment(Instances& in, const parser::Statement& s, const parser::MultipleAssignment& m,
                         const Environment& env, flat::Statements& out) {
  const auto* call = std::get_if<parser::Call>(&m.call->node);
  auto results = call ? elaborate_results(in, *m.call, *call, env) : std::nullopt;
  if (!results) return;
  if (results->size() < m.targets.size()) {
    in.error(s.place, fmt::format("this function has {} results, not {}", results->size(), m.targets.size()));
    return;
  }
  Value all_targets, all_values;   // assigned together: no result may see another's new value
  for (std::size_t k = 0; k < m.targets.size(); ++k) {
    if (!m.targets[k]) continue;
    const auto& name = std::get<parser::Reference>(m.targets[k]->node).name;
    const auto target = elaborate_reference(in, name, env);
    Value& value = (*results)[k];
    if (!target) return;
    note_array(in, name, *target, m.targets[k]->place, env);
    if (target->dims != value.dims) {
      in.error(m.targets[k]->place, fmt::format("this result has the size {}, the variable {}", shape_text(value.dims),
                                                shape_text(target->dims)));
      return;
    }
    Value to = *target;
    if (to.record ? !unify_records(in, to, value, m.targets[k]->place, "a result") : !convert(in, value, to.type, m.targets[k]->place, "a result")) return;
    if (to.record) leave_out_fixed(in, to, value, m.targets[k]->place, env);
    append_leaves(to, all_targets.elements);
    append_leaves(value, all_values.elements);
  }
  assign(in, s.place, all_targets, all_values, env, out);
}

void for_statement(Instances& in, parser::List<parser::ForIndex> indices, parser::List<parser::Statement> body,
                   Place place, const Environment& env, flat::Statements& out);

/// A loop from one Integer to another of which the run alone knows one: its index stands in a local variable. False: it is none.
bool loop_of_the_run(Instances& in, parser::List<parser::ForIndex> indices, parser::List<parser::Statement> body, Place place,
                     const Environment& env, flat::Statements& out) {
  const parser::ForIndex& i = indices.front();
  const auto* range = i.range ? std::get_if<parser::Range>(&i.range->node) : nullptr;
  if (!range || range->step) return false;
  std::optional<Value> first, last;
  {
    const Quietly quietly(in);
    first = elaborate(in, *range->start, env);
    last = elaborate(in, *range->stop, env);
  }
  if (!first || !last || !first->scalar() || !last->scalar() || first->type != integer_type || last->type != integer_type) return false;
  if (in.evaluated(first->only()) != Expr::none && in.evaluated(last->only()) != Expr::none) return false;
  const auto iterator = static_cast<LocalId>(in.model.locals.size());
  in.model.locals.push_back({std::string(in.text(i.name)), BaseType::integer, EnumerationId::none, FunctionId::none, in.model.expressions.integer(0), ObjectClassId::none});
  const Locals local{i.name, scalar(integer_type, in.model.expressions.local(iterator, BaseType::integer)), env.locals};
  Environment inner = env;
  inner.locals = &local;
  inner.conditional = true;
  flat::Loop loop{iterator, first->only(), last->only(), {}};
  if (indices.size() > 1) for_statement(in, indices.subspan(1), body, place, inner, loop.body);
  else loop.body = flatten_statements(in, body, inner);
  add(out, place, std::move(loop));
  return true;
}

void for_statement(Instances& in, parser::List<parser::ForIndex> indices, parser::List<parser::Statement> body,
                   Place place, const Environment& env, flat::Statements& out) {
  if (loop_of_the_run(in, indices, body, place, env, out)) return;
  flat::UnrolledLoop loop;
  for_each_iteration(in, indices.first(1), env, body, [&](const Iteration& iteration) {
    loop.iterations.emplace_back();
    if (indices.size() > 1) {
      for_statement(in, indices.subspan(1), body, place, iteration.environment(), loop.iterations.back());
      return true;
    }
    if (!in.has_room(place, Instances::work_of_a_round)) return false;
    loop.iterations.back() = flatten_statements(in, body, iteration.environment());
    return true;
  });
  add(out, place, std::move(loop));
}

void flatten_statement(Instances& in, const parser::Statement& s, const Environment& env, flat::Statements& out);

std::optional<Expr> condition_of(Instances& in, const parser::Expression& e, const Environment& env,
                                 std::string_view what) {
  auto v = elaborate(in, e, env);
  if (!v) return {};
  if (!v->scalar()) {
    in.error(e.place, fmt::format("{} must be a scalar", what));
    return {};
  }
  if (!convert(in, *v, boolean_type, e.place, what)) return {};
  return v->only();
}

void when_statement(Instances& in, const parser::Statement& s, const parser::WhenStatement& w, const Environment& env,
                    flat::Statements& out) {
  if (env.in_when) {
    in.error(s.place, "a when-statement cannot stand inside another", "join the two conditions with `and`");
    return;
  }
  flat::WhenStatement result;
  for (const auto& b : w.branches) {
    bool clocked = false, good = true;
    flat::WhenStatement::Branch branch;
    branch.conditions = when_conditions(in, *b.condition, env, clocked, good);
    if (!good) return;
    if (clocked) {
      in.unsupported(b.condition->place, "a clocked when-statement in an algorithm");
      return;
    }
    branch.place = b.condition->place;
    Environment inner = env;
    inner.literal = true;
    inner.in_when = true;
    inner.conditional = true;
    branch.body = flatten_statements(in, b.body, inner);
    result.branches.push_back(std::move(branch));
  }
  add(out, s.place, std::move(result));
}

}  // namespace

flat::Statements flatten_statements(Instances& in, parser::List<parser::Statement> statements, const Environment& env) {
  flat::Statements out;
  for (const parser::Statement& s : statements) {
    std::vector<flat::Assertion> called;
    flat::Statements own;
    {
      const AssertionsTo here(in, &called);
      flatten_statement(in, s, env, own);
    }
    for (flat::Assertion& a : called) add(out, s.place, std::move(a));   // of the values before the statement
    std::move(own.begin(), own.end(), std::back_inserter(out));
  }
  return out;
}

namespace {

/// The first body of a when-statement.
flat::Statements* body_of_when(flat::Statements& statements) {
  for (flat::Statement& s : statements)
    if (auto* w = std::get_if<flat::WhenStatement>(&s.node); w && !w->branches.empty()) return &w->branches.front().body;
  return nullptr;
}

}  // namespace

flat::Algorithm flatten_algorithm(Instances& in, const parser::AlgorithmSection& section, const Environment& env) {
  if (!check_breaks(in, section.statements)) return {{}, section.place};
  AlgorithmVariables assigned;
  Environment inner = env;
  inner.assigned = &assigned;
  flat::Algorithm algorithm{flatten_statements(in, section.statements, inner), section.place};
  each_assignment(algorithm.statements, [&](const flat::Assignment& a, Place, bool) { assigned.owned.erase(a.target); });
  // v := v: its start or left limit, as the whole array has it before the first statement.
  flat::Statements kept;
  for (const auto& [v, owned] : assigned.owned) {
    // A parameter that has its value keeps it.
    if (in.model.variable(v).variability <= flat::Variability::parameter && !is_settable(in, v, env)) continue;
    flat::Statements* body = owned.in_when ? body_of_when(algorithm.statements) : nullptr;
    add(body ? *body : kept, owned.place, flat::Assignment{v, in.model.expressions.variable(v, in.model.variable(v).type), true});
  }
  algorithm.statements.insert(algorithm.statements.begin(), std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  return algorithm;
}

namespace {

void flatten_statement(Instances& in, const parser::Statement& s, const Environment& env, flat::Statements& out) {
  if (const auto* a = std::get_if<parser::Assignment>(&s.node)) {
    assignment(in, s, *a, env, out);
  } else if (std::holds_alternative<parser::MultipleAssignment>(s.node)) {
    multiple_assignment(in, s, std::get<parser::MultipleAssignment>(s.node), env, out);
  } else if (const auto* c = std::get_if<parser::CallStatement>(&s.node)) {
    const std::string_view name = simple_callee(in, *c->call);
    const auto* call = std::get_if<parser::Call>(&c->call->node);
    if (name == "assert") {
      if (auto assertion = elaborate_assert(in, *c->call, *call, env)) add(out, s.place, std::move(*assertion));
    } else if (name == "terminate") {
      if (auto t = elaborate_terminate(in, *c->call, *call, env)) add(out, s.place, std::move(*t));
    } else if (name == "reinit") {
      in.error(s.place, "reinit stands in when-equations, not in algorithms", "move it to an equation section");
    } else {
      if (auto calls = call_for_effect(in, *c->call, env))
        for (flat::Assertion& a : *calls) add(out, s.place, std::move(a));
    }
  } else if (std::holds_alternative<parser::BreakStatement>(s.node)) {
    add(out, s.place, flat::BreakStatement{});
  } else if (std::holds_alternative<parser::ReturnStatement>(s.node)) {
    in.error(s.place, "return stands in functions alone");
  } else if (const auto* i = std::get_if<parser::IfStatement>(&s.node)) {
    flat::IfStatement result;
    bool good = true, decided = env.untaken;
    auto& ex = in.model.expressions;
    Environment reached = env;   // E14: a condition counts only if none before it holds
    for (const auto& b : i->branches) {
      flat::IfStatement::Branch branch{Expr::none, {}};
      Environment inner = env;
      inner.conditional = true;
      if (b.condition) {
        reached.untaken = decided;
        in.elaboration.passed_over = false;
        const auto condition = condition_of(in, *b.condition, reached, "the condition of an if");
        if (!condition && decided && in.elaboration.passed_over) continue;
        if (!condition) {
          good = false;
          break;
        }
        const Expr fails = ex.simplified(Op::not_, BaseType::boolean, {*condition}, b.condition->place);
        reached.path = reached.path == Expr::none ? fails : ex.simplified(Op::and_, BaseType::boolean, {reached.path, fails}, b.condition->place);
        branch.condition = *condition;
        const Expr known = in.evaluated(*condition);
        const bool chosen = known != Expr::none && in.model.expressions.payload(known);
        inner.untaken = decided || (known != Expr::none && !chosen);
        decided = decided || chosen;
      } else {
        inner.untaken = decided;
      }
      branch.body = flatten_statements(in, b.body, inner);
      result.branches.push_back(std::move(branch));
    }
    if (good) add(out, s.place, std::move(result));
  } else if (const auto* f = std::get_if<parser::ForStatement>(&s.node)) {
    for_statement(in, f->indices, f->body, s.place, env, out);
  } else if (const auto* w = std::get_if<parser::WhileStatement>(&s.node)) {
    Environment inner = env;
    inner.literal = inner.conditional = true;
    std::vector<flat::Assertion> called;   // by functions in the condition: before every round
    std::optional<Expr> condition;
    {
      const AssertionsTo here(in, &called);
      condition = condition_of(in, *w->condition, inner, "the condition of a while");
    }
    if (!condition) return;
    flat::WhileStatement loop{*condition, flatten_statements(in, w->body, inner)};
    for (const flat::Assertion& a : called) {
      add(out, w->condition->place, a);
      add(loop.body, w->condition->place, a);
    }
    add(out, s.place, std::move(loop));
  } else {
    when_statement(in, s, std::get<parser::WhenStatement>(s.node), env, out);
  }
}

/// `varying`: the condition around these statements that varies between events, if there is one (MLS 3.8.5).
void check_discrete_targets(Instances& in, const flat::Statements& statements, Expr varying) {
  const auto varies = [&](Expr e) { return e != Expr::none && variability(in.model, e) == flat::Variability::continuous; };
  for (const flat::Statement& s : statements) {
    if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
      if (varying == Expr::none)
        check_discrete(in, a->target, a->value, s.place);
      else
        check_condition(in, a->target, in.model.expressions.place(varying), s.place);
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      Expr around = varying;
      for (const auto& b : i->branches) {
        if (around == Expr::none && varies(b.condition)) around = b.condition;
        check_discrete_targets(in, b.body, around);
      }
    } else if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
      for (const auto& body : f->iterations) check_discrete_targets(in, body, varying);
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      check_discrete_targets(in, l->body, varying);
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      check_discrete_targets(in, w->body, varying == Expr::none && varies(w->condition) ? w->condition : varying);
    }
  }
}

}  // namespace

void check_discrete_targets(Instances& in) {
  for (const flat::Algorithm& a : in.model.algorithms) check_discrete_targets(in, a.statements, Expr::none);
}

}  // namespace mosim::compiler
