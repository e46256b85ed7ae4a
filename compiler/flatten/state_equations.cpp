#include "compiler/flatten/state_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "compiler/expression/print.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler {

namespace {

/// Calls visit(VariableId&) for every variable that statements assign.
void each_target(flat::Statements& list, const std::function<void(VariableId&)>& visit) {
  each_assignment(list, [&](flat::Assignment& a, Place, bool) { visit(a.target); });
}

}  // namespace

StateEquations::StateEquations(Instances& in, StateMachines& machines, const std::vector<OfObject>& objects)
    : in_(in), sm_(machines), m_(in.model), ex_(in.model.expressions), objects_(objects), owners_(in.model.variables.size(), none),
      outers_(machines.states.size()), resets_(machines.states.size(), VariableId::none),
      rewrite_(in.model.expressions, [this](Expr e) -> Expr {
        switch (ex_.op(e)) {
          case Op::variable: {
            const VariableId v = ex_.variable(e), now = here(v, state_);
            return now == v ? Expr::none : ex_.variable(now, ex_.type(e), ex_.place(e));
          }
          case Op::previous: {
            const VariableId v = root(ex_.variable(e));
            const Expr before = ex_.of_variable(Op::previous, v, ex_.type(e), ex_.place(e));
            const std::size_t of = owner(v);
            if (of == none || !sm_.lies_in(state_, of)) return before;
            return ex_.make(Op::if_, ex_.type(e), {sm_.value(reset(of)), start(v), before}, ex_.place(e));
          }
          case Op::derivative: {
            const auto it = slopes_.find(ex_.variable(e));
            return it == slopes_.end() ? Expr::none : ex_.variable(it->second, BaseType::real, ex_.place(e));
          }
          case Op::pre: case Op::edge: case Op::change: {
            const VariableId v = ex_.variable(e), now = root(v);
            return now == v ? Expr::none : ex_.of_variable(ex_.op(e), now, ex_.type(e), ex_.place(e));
          }
          default: return Expr::none;
        }
      }) {}

void StateEquations::write() {
  own(in_.root, none);
  for (std::size_t s = 0; s < sm_.states.size(); ++s) find_outers(s);
  locate();
  name_slopes();
  // Inner states first: what they set is not for the states around them to determine.
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < sm_.states.size(); ++s) order.push_back(s);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sm_.depth(a) > sm_.depth(b); });
  for (std::size_t s : order) match(s);
  rewrite_equations();
  rewrite_algorithms();
  rewrite_whens();
  merge();
}

// ---- what belongs to which state ------------------------------------------------------------------------------------------------

void StateEquations::own(const Class* object, std::size_t state) {
  if (const std::size_t s = sm_.state_of(object); s != none) state = s;
  for (const Member* m : object->members) {
    if (m->is_class() || m->broken || !m->component || m->component->removed || (m->outer && !m->inner)) continue;
    const Component* c = m->component;
    if (c->basic && c->first != VariableId::none)
      for (std::size_t k = 0; k < c->size(); ++k) owners_[index(c->first) + k] = state;
    for (const Class* element : c->elements) own(element, state);
  }
}

VariableId StateEquations::root(VariableId v) const {
  for (auto it = same_.find(v); it != same_.end(); it = same_.find(v)) v = it->second;
  return v;
}

void StateEquations::same(const Component* inner, const Component* outer) {
  if (inner->size() != outer->size()) return;
  if (inner->basic && outer->basic && inner->first != VariableId::none && outer->first != VariableId::none)
    for (std::size_t k = 0; k < inner->size(); ++k) same_[static_cast<VariableId>(index(inner->first) + k)] = static_cast<VariableId>(index(outer->first) + k);
  for (std::size_t k = 0; k < inner->elements.size() && k < outer->elements.size(); ++k)
    for (const Member* m : inner->elements[k]->members) {
      if (m->is_class() || !m->component) continue;
      for (const Member* o : outer->elements[k]->members)
        if (!o->is_class() && o->component && o->name == m->name) same(m->component, o->component);
    }
}

void StateEquations::outer_leaves(const Component* c, const std::string& name, std::size_t prefix, std::size_t state) {
  if (c->basic && c->first != VariableId::none && c->variability > flat::Variability::parameter)
    for (std::size_t k = 0; k < c->size(); ++k) {
      const auto v = static_cast<VariableId>(index(c->first) + k);
      outers_[state].push_back({v, name + m_.variable(v).name.substr(prefix)});
    }
  for (const Class* element : c->elements)
    for (const Member* m : element->members)
      if (!m->is_class() && !m->broken && m->component && !m->component->removed) outer_leaves(m->component, name, prefix, state);
}

void StateEquations::find_outers(std::size_t state) {
  const Class* object = sm_.states[state].object;
  for (const Member* m : object->members) {
    if (m->is_class() || m->broken || !m->outer || !m->component || m->prefix.causality == parser::Causality::none) continue;
    // Of `inner outer`, the inner part is the outer one under another name (17.3.5).
    for (const Member* inner : object->members)
      if (inner->inner_part && inner->name == m->name && inner->component) same(inner->component, m->component);
    if (m->prefix.causality == parser::Causality::output)
      outer_leaves(m->component, object->prefix + std::string(in_.text(m->name)), m->component->name.size(), state);
  }
}

void StateEquations::locate() {
  equation_states_.assign(m_.equations.size(), none);
  algorithm_states_.assign(m_.algorithms.size(), none);
  when_states_.assign(m_.whens.size(), none);
  targets_.assign(m_.equations.size(), VariableId::none);
  const auto fill = [](std::vector<std::size_t>& list, const OfObject::Range& range, std::size_t s) {
    for (std::size_t k = range.from; k < range.to; ++k) list[k] = s;
  };
  for (const OfObject& of : objects_) {
    const std::size_t s = sm_.state_around(of.object);
    if (s == none) continue;
    fill(equation_states_, of.equations, s);
    fill(algorithm_states_, of.algorithms, s);
    fill(when_states_, of.whens, s);
    const auto only_there = [&](const OfObject::Range& range) {
      for (std::size_t k = range.from; k < range.to; ++k) {
        flat::Assertion& a = m_.assertions[k];
        const Expr away = ex_.make(Op::not_, BaseType::boolean, {sm_.value(sm_.states[s].active)}, a.place);
        a.condition = ex_.make(Op::or_, BaseType::boolean, {away, located(a.condition, s)}, a.place);
      }
    };
    only_there(of.assertions);
    only_there(of.called_assertions);
  }
  for (std::size_t k = 0; k < m_.equations.size(); ++k)
    if (m_.equations[k].binding_of != VariableId::none) equation_states_[k] = owner(m_.equations[k].binding_of);
}

/// der(x) in a state: another name for a variable that keeps its value, so that a solver method finds it a tick later (MLS 16.8.2).
void StateEquations::name_slopes() {
  Walker walker(ex_);
  const std::size_t given = m_.equations.size();
  for (std::size_t k = 0; k < given; ++k) {
    const std::size_t s = equation_states_[k];
    if (s == none) continue;
    std::vector<VariableId> found;
    for (Expr side : {m_.equations[k].left, m_.equations[k].right})
      walker.each(side, [&](Expr e) {
        if (ex_.op(e) == Op::derivative && owner(ex_.variable(e)) != none) found.push_back(ex_.variable(e));
        return true;
      });
    for (VariableId x : found) {
      if (slopes_.contains(x)) continue;
      const std::size_t of = owner(x);
      const VariableId slope = sm_.variable(fmt::format("$der({})", m_.variable(x).name), BaseType::real, of, fmt::format("der({})", said_name(m_, x)));
      slopes_[x] = slope;
      owners_.resize(index(slope) + 1, none);
      owners_[index(slope)] = of;
      const Expr der = ex_.of_variable(Op::derivative, x, BaseType::real, m_.equations[k].place);
      m_.equations.push_back({der, sm_.value(slope), m_.equations[k].place, {}, VariableId::none});
      m_.held_states.push_back({x, sm_.states[of].active, reset(of)});
    }
  }
  equation_states_.resize(m_.equations.size(), none);
  targets_.resize(m_.equations.size(), VariableId::none);
}

// ---- which equation determines what -----------------------------------------------------------------------------------------------

void StateEquations::set_outer(std::size_t state, VariableId v, Place place) {
  if (locals_.contains({state, v})) return;
  const auto& outers = outers_[state];
  const auto outer = std::find_if(outers.begin(), outers.end(), [&](const Outer& o) { return root(o.variable) == v; });
  if (outer == outers.end()) return;
  const VariableId local = sm_.variable(outer->name, m_.variable(v).type, state, {}, m_.variable(v).enumeration);
  flat::Variable& made = m_.variables[index(local)];
  const flat::Variable& of = m_.variable(v);
  made.unit = of.unit, made.display_unit = of.display_unit, made.quantity = of.quantity, made.start = of.start, made.description = of.description;
  made.is_protected = false;
  made.variability = of.variability;
  locals_[{state, v}] = local;
  setters_[v].push_back({state, place});
}

/// Each equation of a state determines one of its variables, or one that is declared `outer output` there (17.3.5).
void StateEquations::match(std::size_t state) {
  // What algorithms and when-clauses assign is not for equations.
  std::set<VariableId> assigned;
  const auto assign = [&](VariableId v, Place place) {
    v = root(v);
    assigned.insert(v);
    if (owner(v) != state) set_outer(state, v, place);
  };
  for (std::size_t k = 0; k < algorithm_states_.size(); ++k)
    if (algorithm_states_[k] == state) each_target(m_.algorithms[k].statements, [&](VariableId& v) { assign(v, m_.algorithms[k].place); });
  for (std::size_t k = 0; k < when_states_.size(); ++k)
    if (when_states_[k] == state)
      for (const auto& b : m_.whens[k].branches)
        for (const auto& action : b.body)
          if (const auto* set = std::get_if<flat::WhenAssignment>(&action.node)) assign(set->target, set->place);

  std::vector<VariableId> unknowns;
  std::unordered_map<VariableId, std::size_t> numbers;
  const auto add = [&](VariableId v) {
    if (numbers.try_emplace(v, unknowns.size()).second) unknowns.push_back(v);
  };
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const auto v = static_cast<VariableId>(i);
    const flat::Variable& variable = m_.variables[i];
    if (owners_[i] != state || variable.variability <= flat::Variability::parameter || variable.type == BaseType::clock || variable.type == BaseType::object) continue;
    if (!same_.contains(v) && !setters_.contains(v) && !assigned.contains(v) && !slopes_.contains(v)) add(v);
  }
  for (const Outer& o : outers_[state])
    if (!assigned.contains(root(o.variable))) add(root(o.variable));

  std::vector<std::size_t> equations;
  for (std::size_t k = 0; k < equation_states_.size(); ++k)
    if (equation_states_[k] == state && ex_.type(m_.equations[k].left) != BaseType::clock) equations.push_back(k);
  const auto unknown = [&](Expr e) -> std::size_t {
    if (ex_.op(e) == Op::variable) {
      const auto it = numbers.find(root(ex_.variable(e)));
      return it == numbers.end() ? none : it->second;
    }
    const auto slope = ex_.op(e) == Op::derivative ? slopes_.find(ex_.variable(e)) : slopes_.end();
    if (slope == slopes_.end()) return none;
    const auto it = numbers.find(slope->second);
    return it == numbers.end() ? none : it->second;
  };
  std::vector<std::size_t> of_unknown(unknowns.size(), none), of_equation(equations.size(), none);
  std::vector<std::vector<std::size_t>> incident(equations.size());
  Walker walker(ex_);
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const flat::Equation& e = m_.equations[equations[k]];
    // v = ..., as most are
    for (Expr side : {e.left, e.right})
      if (const std::size_t u = unknown(side); u != none && of_unknown[u] == none && of_equation[k] == none) of_unknown[u] = k, of_equation[k] = u;
    for (Expr side : {e.left, e.right})
      walker.each(side, [&](Expr n) {
        if (const std::size_t u = unknown(n); u != none) incident[k].push_back(u);
        return true;
      });
    std::sort(incident[k].begin(), incident[k].end());
  }
  std::vector<char> seen;
  const std::function<bool(std::size_t)> augment = [&](std::size_t k) {
    for (std::size_t u : incident[k]) {
      if (seen[u]) continue;
      seen[u] = 1;
      if (of_unknown[u] != none && !augment(of_unknown[u])) continue;
      of_unknown[u] = k, of_equation[k] = u;
      return true;
    }
    return false;
  };
  for (std::size_t k = 0; k < equations.size(); ++k) {
    if (of_equation[k] != none) continue;
    seen.assign(unknowns.size(), 0);
    (void)augment(k);
  }
  for (std::size_t k = 0; k < equations.size(); ++k) {
    if (of_equation[k] == none) continue;
    const VariableId v = unknowns[of_equation[k]];
    targets_[equations[k]] = v;
    if (owner(v) != state) set_outer(state, v, m_.equations[equations[k]].place);
  }
}

// ---- the equations ------------------------------------------------------------------------------------------------------------------

VariableId StateEquations::here(VariableId v, std::size_t state) const {
  v = root(v);
  const auto it = locals_.find({state, v});
  return it == locals_.end() ? v : it->second;
}

Expr StateEquations::located(Expr e, std::size_t state) {
  if (e == Expr::none) return e;
  state_ = state;
  rewrite_.forget();
  return rewrite_(e);
}

VariableId StateEquations::reset(std::size_t state) {
  if (resets_[state] == VariableId::none)
    resets_[state] = sm_.variable(fmt::format("$reset({})", sm_.states[state].name), BaseType::boolean, state, fmt::format("whether {} is reset", sm_.states[state].name));
  return resets_[state];
}

Expr StateEquations::start(VariableId v) {
  const flat::Variable& variable = m_.variable(v);
  if (variable.start != Expr::none) return variable.start;
  switch (variable.type) {
    case BaseType::integer: return ex_.integer(0, variable.place);
    case BaseType::boolean: return ex_.boolean(false, variable.place);
    case BaseType::string: return ex_.string("", variable.place);
    case BaseType::enumeration: return ex_.enumeration(variable.enumeration, 1, variable.place);
    default: return ex_.real(0, variable.place);
  }
}

/// What a variable keeps from the tick before; anew where the state that it belongs to is reset.
Expr StateEquations::held(VariableId v, std::size_t state) {
  const Expr before = sm_.previous(v);
  return state == none ? before : ex_.make(Op::if_, m_.variable(v).type, {sm_.value(reset(state)), start(v), before}, m_.variable(v).place);
}

void StateEquations::guard(flat::Equation& e, std::size_t state, VariableId target) {
  const VariableId v = here(target, state);
  const Expr active = sm_.value(sm_.states[state].active), before = sm_.previous(v);
  const auto is_target = [&](Expr side) { return ex_.op(side) == Op::variable && ex_.variable(side) == v; };
  if (!is_target(e.left) && is_target(e.right)) std::swap(e.left, e.right);
  if (is_target(e.left)) {
    e.right = ex_.make(Op::if_, ex_.type(e.left), {active, e.right, before}, e.place);
    return;
  }
  if (ex_.type(e.left) != BaseType::real && ex_.type(e.right) != BaseType::real) {
    in_.error(e.place, fmt::format("{} is no number, and this equation of a state does not give it by itself", said_name(m_, v)), fmt::format("write {} = ...", said_name(m_, v)));
    return;
  }
  const Expr apart = ex_.make(Op::subtract, BaseType::real, {e.left, e.right}, e.place), kept = ex_.make(Op::subtract, BaseType::real, {sm_.value(v), before}, e.place);
  e.left = ex_.real(0, e.place);
  e.right = ex_.make(Op::if_, BaseType::real, {active, apart, kept}, e.place);
}

void StateEquations::rewrite_equations() {
  for (std::size_t k = 0; k < equation_states_.size(); ++k) {
    const std::size_t s = equation_states_[k];
    flat::Equation e = m_.equations[k];
    // der(x) = its other name stands outside: it is true at all times.
    const bool names_slope = s == none && ex_.op(e.left) == Op::derivative && slopes_.contains(ex_.variable(e.left));
    if (names_slope) continue;
    e.left = located(e.left, s);
    e.right = located(e.right, s);
    if (s != none && targets_[k] != VariableId::none) guard(e, s, targets_[k]);
    m_.equations[k] = e;
  }
  for (const auto& [inner, outer] : std::map<VariableId, VariableId>(same_.begin(), same_.end()))
    m_.equations.push_back({sm_.value(inner), sm_.value(root(outer)), m_.variable(inner).place, {}, VariableId::none});
}

void StateEquations::rewrite_statements(flat::Statements& list, std::size_t state) {
  for (flat::Statement& s : list) {
    if (auto* a = std::get_if<flat::Assignment>(&s.node)) {
      a->target = here(a->target, state);
      a->value = located(a->value, state);
    } else if (auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      for (auto& b : i->branches) {
        b.condition = located(b.condition, state);
        rewrite_statements(b.body, state);
      }
    } else if (auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
      for (auto& body : f->iterations) rewrite_statements(body, state);
    } else if (auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      w->condition = located(w->condition, state);
      rewrite_statements(w->body, state);
    } else if (auto* l = std::get_if<flat::Loop>(&s.node)) {
      l->first = located(l->first, state);
      l->last = located(l->last, state);
      rewrite_statements(l->body, state);
    } else if (auto* when = std::get_if<flat::WhenStatement>(&s.node)) {
      for (auto& b : when->branches) {
        for (Expr& c : b.conditions) c = located(c, state);
        rewrite_statements(b.body, state);
      }
    } else if (auto* check = std::get_if<flat::Assertion>(&s.node)) {
      check->condition = located(check->condition, state);
      check->message = located(check->message, state);
    }
  }
}

void StateEquations::rewrite_algorithms() {
  for (std::size_t k = 0; k < algorithm_states_.size(); ++k) {
    flat::Algorithm& a = m_.algorithms[k];
    const std::size_t s = algorithm_states_[k];
    rewrite_statements(a.statements, s);
    if (s == none) continue;
    std::set<VariableId> targets;
    each_target(a.statements, [&](VariableId& v) { targets.insert(v); });
    flat::IfStatement only_there;
    only_there.branches.push_back({sm_.value(sm_.states[s].active), std::move(a.statements)});
    flat::Statements keep;
    for (VariableId v : targets) keep.push_back({a.place, flat::Assignment{v, sm_.previous(v)}});
    only_there.branches.push_back({Expr::none, std::move(keep)});
    a.statements.clear();
    a.statements.push_back({a.place, std::move(only_there)});
  }
}

void StateEquations::rewrite_whens() {
  for (std::size_t k = 0; k < when_states_.size(); ++k) {
    const std::size_t s = when_states_[k];
    for (flat::WhenBranch& b : m_.whens[k].branches) {
      for (Expr& c : b.conditions) c = located(c, s);
      for (flat::WhenAction& action : b.body) {
        action.guard = located(action.guard, s);
        if (auto* e = std::get_if<flat::ClockedEquation>(&action.node)) {
          if (s != none) in_.unsupported(e->place, "an equation without a variable alone on its left side in a clocked when-equation of a state,");
          e->left = located(e->left, s);
          e->right = located(e->right, s);
        }
        auto* set = std::get_if<flat::WhenAssignment>(&action.node);
        if (!set) continue;
        set->target = here(set->target, s);
        set->value = located(set->value, s);
        if (s != none && b.clocked)
          set->value = ex_.make(Op::if_, m_.variable(set->target).type, {sm_.value(sm_.states[s].active), set->value, sm_.previous(set->target)}, set->place);
      }
    }
  }
}

/// v := if activeState(state1) then its v there elseif ... else last(v) (17.3.5)
void StateEquations::merge() {
  for (const auto& [v, setters] : setters_) {
    for (std::size_t b = 1; b < setters.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        if (sm_.never_together(setters[a].state, setters[b].state)) continue;
        in_.error(setters[b].place, fmt::format("{} is set in {} and in {}, and both states may be active at once", m_.variable(v).name, sm_.states[setters[a].state].name, sm_.states[setters[b].state].name),
                  "let one of two parallel state machines alone set it (MLS 17)", {{setters[a].place, "set here as well"}});
        return;
      }
    const auto initially = [&](const Setter& s) {
      for (std::size_t x = s.state; x != none; x = sm_.states[x].outside)
        if (!sm_.states[x].initial) return false;
      return true;
    };
    if (m_.variable(v).start == Expr::none && std::none_of(setters.begin(), setters.end(), initially))
      in_.diagnostics.push_back({parser::Severity::warning, m_.variable(v).place,
                                 fmt::format("{} has no start value, and the initial state does not set it (MLS 17.3.5)", m_.variable(v).name),
                                 "give it a start value, which it has until a state sets it",
                                 {{setters.front().place, "it is set here first"}}});
    Expr value = held(v, owner(v));
    for (std::size_t k = setters.size(); k-- > 0;)
      value = ex_.make(Op::if_, m_.variable(v).type, {sm_.value(sm_.states[setters[k].state].active), sm_.value(locals_.at({setters[k].state, v})), value}, setters[k].place);
    m_.equations.push_back({sm_.value(v), value, m_.variable(v).place, {}, VariableId::none});
  }
}

bool StateEquations::given_by(VariableId v, std::size_t machine) const {
  const auto in_machine = [&](std::size_t s) {
    for (; s != none; s = sm_.states[s].outside)
      if (sm_.states[s].machine == machine) return true;
    return false;
  };
  v = root(v);
  if (in_machine(owner(v)) && m_.variable(v).variability > flat::Variability::parameter) return true;
  for (std::size_t s = 0; s < sm_.states.size(); ++s)
    if (sm_.states[s].active == v && in_machine(s)) return true;
  const auto it = setters_.find(v);
  return it != setters_.end() && std::any_of(it->second.begin(), it->second.end(), [&](const Setter& s) { return in_machine(s.state); });
}

}  // namespace mosim::compiler
