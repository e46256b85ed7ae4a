// State machines: what transition and initialState say (MLS 17.1).

#include "compiler/flatten/state_machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/flatten/structural_equations.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

using Visitor = std::function<void(const parser::Equation&, const parser::Call&, std::string_view, const Environment&)>;

/// Every transition and initialState of the model.
void visit_machines(Instances& in, const Visitor& visit) {
  visit_structural_equations(in, in.root,
      {[&in](const parser::Equation& e) {
         const parser::Call* call = call_in(e);
         const std::string_view name = call && call->callee.parts.size() == 1 ? in.text(call->callee.parts.front().name) : std::string_view();
         return name == "transition" || name == "initialState";
       },
       [&](const parser::Equation& e, const Environment& env) {
         const std::string_view name = machine_equation(in, *std::get<parser::CallEquation>(e.node).call, env);
         if (!name.empty()) visit(e, *call_in(e), name, env);
       },
       "a transition needs a condition that is known before the run where it stands in an if-equation",   // MLS 17.1
       "put what varies into the condition of the transition itself"});
}

const Class* whole(const Class* c) {
  while (c && c->derived) c = c->derived;
  return c;
}

}  // namespace

// ---- states and transitions -----------------------------------------------------------------------------------------------

std::size_t StateMachines::state_named(const parser::Expression& e, const Environment& env, std::string_view what) {
  const std::string text(in.workspace.sources.text(e.place));
  const auto refuse = [&](std::string cause, std::string remedy, std::vector<parser::Note> notes = {}) {
    in.error(e.place, std::move(cause), std::move(remedy), std::move(notes));
    return none;
  };
  const auto* reference = std::get_if<parser::Reference>(&e.node);
  if (!reference) return refuse(fmt::format("{} is no state: {} takes the name of a block instance", text, what), "name a component whose class is a block");
  const auto r = resolve(in, reference->name, env);
  if (!r || r->removed) return none;
  const std::vector<parser::Note> declared{{r->last->member->place, "declared here"}};
  if (!r->dims.empty()) return refuse(fmt::format("{} is an array, and a state is one block instance", text), fmt::format("name an element: {}[1]", text), declared);
  const auto [component, k] = r->elements.front();
  if (component->basic || component->elements.empty())
    return refuse(fmt::format("{} is a variable, and a state is a block instance (MLS 17.1)", text), "declare a block with the state's equations, and a component of it", declared);
  const Class* object = component->elements[k];
  if (!object->in_model) return refuse(fmt::format("{} is no component of the model, and a state is a block instance in it", text), "declare the block in the model", declared);
  const parser::ClassKind kind = object->kind();
  if (kind == parser::ClassKind::model || kind == parser::ClassKind::class_) {   // other tools take them, and their equations mean the same
    std::string said = fmt::format("{} is {}, and a state is a block instance (MLS 17.1); it is taken for one", text, with_article(kind_name(kind)));
    if (in.is_news(declared.front().place, said))
      in.diagnostics.push_back({parser::Severity::warning, e.place, std::move(said), fmt::format("declare {} as a block", object->path), declared});
  } else if (kind != parser::ClassKind::block)
    return refuse(fmt::format("{} is {}, and a state is a block instance (MLS 17.1)", text, with_article(kind_name(object->kind()))),
                  fmt::format("declare {} as a block", object->path), declared);
  const auto [it, fresh] = numbers_.try_emplace({component, k}, states.size());
  if (fresh) {
    State s{object, component, k, object->prefix.substr(0, object->prefix.size() - 1), e.place};
    of_objects_[object] = states.size();
    states.push_back(std::move(s));
  }
  return it->second;
}

void StateMachines::add(const parser::Equation& e, const parser::Call& call, std::string_view name, const Environment& env) {
  constexpr std::string_view names[] = {"from", "to", "condition", "immediate", "reset", "synchronize", "priority"};
  const bool initial = name == "initialState";
  visits_ += !initial;
  const std::size_t most = initial ? 1 : std::size(names);
  const parser::Expression* given[std::size(names)] = {};
  const auto& positional = call.arguments.positional;
  if (positional.size() > most || !call.arguments.iterators.empty()) {
    in.error(e.place, initial ? "initialState takes one argument, a state" : "transition takes at most 7 arguments: from, to, condition, immediate, reset, synchronize, priority");
    return;
  }
  std::copy(positional.begin(), positional.end(), given);
  for (const parser::NamedArgument& a : call.arguments.named) {
    const auto at = static_cast<std::size_t>(std::find(std::begin(names), std::end(names), in.text(a.name)) - std::begin(names));
    if (initial ? in.text(a.name) != "state" : at == std::size(names)) {
      in.error(a.place, fmt::format("{} has no argument named {}", name, in.text(a.name)),
               initial ? "write initialState(s)" : "it has from, to, condition, immediate, reset, synchronize and priority");
      return;
    }
    const std::size_t where = initial ? 0 : at;
    if (given[where]) {
      in.error(a.place, fmt::format("the argument {} of {} is given twice", in.text(a.name), name));
      return;
    }
    given[where] = a.value;
  }
  for (std::size_t k = 0; k < (initial ? 1 : 3); ++k)
    if (!given[k]) {
      in.error(e.place, initial ? "initialState takes one argument, a state" : fmt::format("this transition has no argument {}", names[k]),
               initial ? "" : "write transition(from, to, condition)");
      return;
    }
  const std::size_t from = state_named(*given[0], env, name);
  if (initial) {
    if (from == none) return;
    if (states[from].initial) in.error(e.place, fmt::format("{} is marked as the initial state twice", states[from].name), "remove one of them", {{states[from].initial, "here first"}});
    states[from].initial = e.place;
    return;
  }
  const std::size_t to = state_named(*given[1], env, name);
  Transition t{from, to, e.place, given[2]};
  t.visit = visits_;
  const Class* around = whole(env.scope);
  const auto flag = [&](std::size_t k, bool otherwise) {
    if (!given[k]) return otherwise;
    auto v = elaborate(in, *given[k], env);
    if (!v || !v->scalar() || !convert(in, *v, boolean_type, given[k]->place, fmt::format("the argument {} of transition", names[k]))) return otherwise;
    const Expr known = in.evaluated(v->only());
    if (known == Expr::none) {
      in.error(given[k]->place, fmt::format("the argument {} of transition must be known before the run", names[k]), "use only constants and parameters with values in it");
      return otherwise;
    }
    return in.model.expressions.payload(known) != 0;
  };
  t.immediate = flag(3, true);
  t.reset = flag(4, true);
  t.synchronize = flag(5, false);
  if (given[6]) {
    const auto v = elaborate(in, *given[6], env);
    const auto known = v ? known_integer(in, *v, given[6]->place, "the priority of a transition") : std::nullopt;
    if (!known) return;
    if (*known < 1) {   // MLS 17.1
      in.error(given[6]->place, fmt::format("the priority of a transition cannot be {}", *known), "give 1 or more; the smallest fires first");
      return;
    }
    t.priority = *known;
  }
  if (from == none || to == none) return;
  states[from].leads_on = true;
  transitions.push_back(t);
  scopes_.push_back(around);
}

void StateMachines::collect() {
  visit_machines(in, [this](const parser::Equation& e, const parser::Call& call, std::string_view name, const Environment& env) { add(e, call, name, env); });
  if (!any() || parser::has_errors(in.diagnostics)) return;
  make_machines();
}

void StateMachines::take_conditions() {
  if (!any() || parser::has_errors(in.diagnostics)) return;
  std::size_t k = 0, visits = 0;
  visit_machines(in, [this, &k, &visits](const parser::Equation&, const parser::Call&, std::string_view name, const Environment& env) {
    visits += name == "transition";
    if (name != "transition" || k == transitions.size() || transitions[k].visit != visits) return;
    Transition& t = transitions[k++];
    current_ = &t;
    auto v = elaborate(in, *t.condition_text, env);
    current_ = nullptr;
    if (!v) {
      if (!parser::has_errors(in.diagnostics)) in.error(t.condition_text->place, "no value could be found for the condition of this transition");
      return;
    }
    if (!v->scalar()) {
      in.error(t.condition_text->place, "the condition of a transition must be a scalar");
      return;
    }
    if (convert(in, *v, boolean_type, t.condition_text->place, "the condition of a transition")) t.condition = v->only();
  });
}

// ---- machines -----------------------------------------------------------------------------------------------------------------

std::size_t StateMachines::state_around(const Class* object) const {
  for (object = whole(object); object; object = whole(object->parent_object))
    if (const auto it = of_objects_.find(object); it != of_objects_.end()) return it->second;
  return none;
}

bool StateMachines::lies_in(std::size_t state, std::size_t outside) const {
  while (state != none && state != outside) state = states[state].outside;
  return state == outside;
}

void StateMachines::make_machines() {
  for (State& s : states) s.outside = state_around(s.object->parent_object);
  for (std::size_t k = 0; k < transitions.size(); ++k) transitions[k].within = state_around(scopes_[k]);
  // States that transitions couple (17.1).
  std::vector<std::size_t> parents(states.size());
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  const auto find = [&](std::size_t s) {
    while (parents[s] != s) s = parents[s] = parents[parents[s]];
    return s;
  };
  for (const Transition& t : transitions) {
    if (states[t.from].outside != states[t.to].outside) {
      in.error(t.place, fmt::format("a transition leads from {} to {}, and these do not lie in the same state", states[t.from].name, states[t.to].name),
               "a transition couples states of one machine; to leave the state around it, let a transition leave that one");
      return;
    }
    const std::size_t a = find(t.from), b = find(t.to);
    parents[std::max(a, b)] = std::min(a, b);
  }
  std::map<std::size_t, std::size_t> of_root;
  for (std::size_t s = 0; s < states.size(); ++s) {
    const auto [it, fresh] = of_root.try_emplace(find(s), machines.size());
    if (fresh) machines.emplace_back();
    states[s].machine = it->second;
    Machine& m = machines[it->second];
    m.outside = states[s].outside;
    m.states.push_back(s);
  }
  for (std::size_t k = 0; k < transitions.size(); ++k) machines[states[transitions[k].from].machine].transitions.push_back(k);
  for (std::size_t m = 0; m < machines.size(); ++m) {
    complete(m);
    if (machines[m].outside != none) states[machines[m].outside].machines.push_back(m);
  }
}

void StateMachines::complete(std::size_t number) {
  Machine& m = machines[number];
  std::size_t initial = none;
  for (std::size_t s : m.states) {
    if (!states[s].initial) continue;
    if (initial != none) {
      in.error(states[s].initial, fmt::format("{} and {} are states of one machine, and both are marked as its initial state", states[initial].name, states[s].name),
               "keep one initialState: a machine begins in one state", {{states[initial].initial, "the other one"}});
      return;
    }
    initial = s;
  }
  if (initial == none) {
    const State& first = states[m.states.front()];
    in.error(first.named, fmt::format("the state machine of {} has no initial state", first.name), fmt::format("write initialState({}), or of another of its states", in.text(first.component->member->name)));
    return;
  }
  std::iter_swap(m.states.begin(), std::find(m.states.begin(), m.states.end(), initial));
  for (std::size_t a = 0; a < m.transitions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Transition &one = transitions[m.transitions[b]], &other = transitions[m.transitions[a]];
      if (one.from != other.from || one.priority != other.priority) continue;
      in.error(other.place, fmt::format("two transitions leave {} with the priority {}", states[one.from].name, one.priority),
               "give one of them another priority: the smallest fires first", {{one.place, "the other one"}});
      return;
    }
  // What nothing leads to is never active: said, and no error.
  std::vector<std::size_t> reached{initial};
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (std::size_t t : m.transitions)
      if (transitions[t].from == reached[k] && std::find(reached.begin(), reached.end(), transitions[t].to) == reached.end()) reached.push_back(transitions[t].to);
  for (std::size_t s : m.states)
    if (std::find(reached.begin(), reached.end(), s) == reached.end())
      in.diagnostics.push_back({parser::Severity::warning, states[s].named, fmt::format("no way leads from the initial state {} to {}: it is never active", states[initial].name, states[s].name), {}, {}});
  std::stable_sort(m.transitions.begin(), m.transitions.end(), [&](std::size_t a, std::size_t b) { return transitions[a].priority > transitions[b].priority; });

  m.literals = static_cast<EnumerationId>(in.model.enumerations.size());
  flat::Enumeration literals{fmt::format("stateMachine({}).States", states[initial].name), {}};
  const std::size_t prefix = m.outside == none ? 0 : states[m.outside].name.size() + 1;
  for (std::size_t s : m.states) {
    const std::string name = states[s].name.substr(prefix);
    const bool plain = name.find_first_of("[.'") == std::string::npos;
    literals.literals.push_back(plain ? name : "'" + name + "'");
  }
  in.model.enumerations.push_back(std::move(literals));
  m.state = variable(fmt::format("stateMachine({}).activeState", states[initial].name), BaseType::enumeration, initial,
                     fmt::format("the active state of the machine of {}", states[initial].name), m.literals);
  m.fired = variable(fmt::format("$stateMachine({}).fired", states[initial].name), BaseType::integer, initial,
                     fmt::format("the transition of the machine of {} that fires", states[initial].name));
  for (std::size_t s : m.states) states[s].active = variable(fmt::format("activeState({})", states[s].name), BaseType::boolean, s, {});
}

VariableId StateMachines::variable(std::string name, BaseType type, std::size_t state, std::string meaning, EnumerationId enumeration) {
  const auto v = static_cast<VariableId>(in.model.variables.size());
  flat::Variable made;
  made.name = std::move(name);
  made.type = type;
  made.enumeration = enumeration;
  made.meaning_text = std::move(meaning);
  made.place = states[state].named;
  made.variability = type == BaseType::real ? flat::Variability::continuous : flat::Variability::discrete;
  made.is_protected = true;
  in.model.variables.push_back(std::move(made));
  in.variable_elements.push_back({const_cast<Component*>(states[state].component), static_cast<std::size_t>(-1)});
  return v;
}

Expr StateMachines::value(VariableId v) { return in.model.expressions.variable(v, in.model.variable(v).type, in.model.variable(v).place); }
Expr StateMachines::previous(VariableId v) {
  return in.model.expressions.of_variable(Op::previous, v, in.model.variable(v).type, in.model.variable(v).place);
}

// ---- what expressions ask -------------------------------------------------------------------------------------------------------

Expr StateMachines::active(const Component* c, std::size_t k, Place place) {
  const auto it = numbers_.find({c, k});
  if (it == numbers_.end() || states[it->second].active == VariableId::none) return Expr::none;
  return in.model.expressions.variable(states[it->second].active, BaseType::boolean, place);
}

std::size_t StateMachines::state_giving(VariableId output) const {
  using parser::ClassKind;
  const Class* object = whole(in.variable_elements[index(output)].component->member->owner);
  while (object && (object->kind() == ClassKind::connector || object->kind() == ClassKind::record)) object = whole(object->parent_object);
  return state_of(object);
}

Expr StateMachines::active_with(VariableId output, Place place) {
  const std::size_t s = state_giving(output);
  return s == none || states[s].active == VariableId::none ? Expr::none : in.model.expressions.variable(states[s].active, BaseType::boolean, place);
}

bool StateMachines::never_together(std::size_t a, std::size_t b) const {
  for (std::size_t x = a; x != none; x = states[x].outside)
    for (std::size_t y = b; y != none; y = states[y].outside)
      if (x != y && states[x].machine == states[y].machine) return true;
  return false;
}

bool StateMachines::exclusive(VariableId one, VariableId other) const { return never_together(state_giving(one), state_giving(other)); }

std::size_t StateMachines::asked(const Environment& env) const { return current_ ? current_->from : state_around(env.scope); }

VariableId StateMachines::entered(std::size_t machine) {
  if (machines[machine].entered == VariableId::none) {
    const VariableId v = variable(fmt::format("$stateMachine({}).entered", title(machine)), BaseType::boolean, machines[machine].states.front(),
                                  fmt::format("whether a state of the machine of {} is entered", title(machine)));
    machines[machine].entered = v;
    if (machines[machine].outside != none) (void)entered(states[machines[machine].outside].machine);
  }
  return machines[machine].entered;
}

void StateMachines::add_ticks(std::size_t machine) {
  (void)entered(machine);
  if (machines[machine].ticks != VariableId::none) return;
  const VariableId v = variable(fmt::format("$stateMachine({}).ticks", title(machine)), BaseType::integer, machines[machine].states.front(), "ticksInState()");
  machines[machine].ticks = v;
}

void StateMachines::add_seconds(std::size_t machine) {
  add_ticks(machine);
  if (machines[machine].seconds != VariableId::none) return;
  const std::size_t first = machines[machine].states.front();
  const VariableId v = variable(fmt::format("$stateMachine({}).seconds", title(machine)), BaseType::real, first, "timeInState()");
  const VariableId since = variable(fmt::format("$stateMachine({}).since", title(machine)), BaseType::real, first, "the time since when timeInState() counts");
  machines[machine].seconds = v;
  machines[machine].since = since;
}

Expr StateMachines::kept_ticks(std::size_t m, Place place) {
  auto& ex = in.model.expressions;
  const Expr next = ex.make(Op::add, BaseType::integer, {previous(machines[m].ticks), ex.integer(1)}, place);
  if (machines[m].outside == none) return next;
  return ex.make(Op::if_, BaseType::integer, {value(entered(states[machines[m].outside].machine)), ex.integer(1), next}, place);
}

Expr StateMachines::ticks(const Environment& env, Place place) {
  const std::size_t s = asked(env);
  if (s == none) return Expr::none;
  const std::size_t m = states[s].machine;
  if (m == none) return in.model.expressions.integer(1, place);   // its transitions are wrong, as has been said
  add_ticks(m);
  if (current_ && current_->immediate) return kept_ticks(m, place);
  return in.model.expressions.variable(machines[m].ticks, BaseType::integer, place);
}

Expr StateMachines::seconds(const Environment& env, Place place) {
  const std::size_t s = asked(env);
  if (s == none) return Expr::none;
  const std::size_t m = states[s].machine;
  if (m == none) return in.model.expressions.real(0, place);
  add_seconds(m);
  VariableId v = machines[m].seconds;
  if (current_ && current_->immediate) {
    if (machines[m].kept_seconds == VariableId::none) {
      const VariableId kept = variable(fmt::format("$stateMachine({}).keptSeconds", title(m)), BaseType::real, machines[m].states.front(), "timeInState()");
      machines[m].kept_seconds = kept;
    }
    v = machines[m].kept_seconds;
  }
  return in.model.expressions.variable(v, BaseType::real, place);
}

}  // namespace mosim::compiler
