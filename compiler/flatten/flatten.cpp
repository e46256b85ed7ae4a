// Stage "flatten": instance tree -> flat model.

#include "compiler/flatten/flatten.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "compiler/elaborate/elaboration.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/balance.hpp"
#include "compiler/flatten/connect.hpp"
#include "compiler/flatten/expandable.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/flatten/state_machines.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/settings.hpp"
#include "compiler/ordered_table.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler {

namespace {

// ---- variables ----------------------------------------------------------------------------------------------------------

void string_attribute(Instances& in, Component* c, std::string_view name, flat::Label flat::Variable::*member) {
  const auto v = attribute_value(in, c, name, string_type);
  if (!v) return;
  for (std::size_t k = 0; k < v->elements.size(); ++k) {
    const Expr known = in.evaluated(v->elements[k]);
    if (known == Expr::none) {
      in.error(in.model.expressions.place(v->elements[k]), fmt::format("the attribute {} must be known before the run", name));
      return;
    }
    in.model.variables[index(c->first) + k].*member = in.labels(in.model.expressions.string_value(known));
  }
}

void attribute(Instances& in, Component* c, std::string_view name, Type type, Expr flat::Variable::*member, bool known) {
  const auto v = attribute_value(in, c, name, type);
  if (!v) return;
  for (std::size_t k = 0; k < v->elements.size(); ++k) {
    Expr e = v->elements[k];
    if (variability(in.model, e) > flat::Variability::parameter) {
      in.error(in.model.expressions.place(e), fmt::format("the attribute {} of {} must be a parameter expression", name, c->name),
               "use only constants and parameters in it");
      return;
    }
    if (known) {
      const Expr literal = in.evaluated(e);
      if (literal == Expr::none) {
        in.error(in.model.expressions.place(e), fmt::format("the attribute {} of {} must be known before the run", name, c->name));
        return;
      }
      e = literal;
    }
    in.model.variables[index(c->first) + k].*member = e;
  }
}

void fill_attributes(Instances& in, Component* c) {
  const Type own = *c->basic;
  if (own.base == BaseType::clock || own.base == BaseType::object) return;
  attribute(in, c, "start", own, &flat::Variable::start, false);
  attribute(in, c, "fixed", boolean_type, &flat::Variable::fixed, true);
  string_attribute(in, c, "quantity", &flat::Variable::quantity);
  if (is_numeric(own) || own.base == BaseType::enumeration) {
    attribute(in, c, "min", own, &flat::Variable::min, false);
    attribute(in, c, "max", own, &flat::Variable::max, false);
  }
  if (own.base != BaseType::real) return;
  attribute(in, c, "nominal", own, &flat::Variable::nominal, false);
  string_attribute(in, c, "unit", &flat::Variable::unit);
  string_attribute(in, c, "displayUnit", &flat::Variable::display_unit);
  (void)attribute_value(in, c, "unbounded", boolean_type);
  const auto select = attribute_value(in, c, "stateSelect", {BaseType::enumeration, in.state_select_id});
  if (!select) return;
  for (std::size_t k = 0; k < select->elements.size(); ++k) {
    const Expr known = in.evaluated(select->elements[k]);
    if (known == Expr::none) {
      in.error(in.model.expressions.place(select->elements[k]), "the attribute stateSelect must be known before the run");
      return;
    }
    in.model.variables[index(c->first) + k].state_select =
        static_cast<flat::StateSelect>(in.model.expressions.payload(known) - 1);
  }
}

/// What is set from outside of a variable that is no parameter is its start value.
void set_start(Instances& in, Component* c) {
  if (c->variability <= flat::Variability::parameter || !has_override(in, c)) return;
  std::optional<Value> given;
  apply_overrides(in, c, given);
  for (std::size_t k = 0; given && k < given->elements.size(); ++k) {
    const Expr e = given->elements[k];
    if (e == Expr::none) continue;
    if (variability(in.model, e) > flat::Variability::parameter) {
      in.error(override_place(in, c), fmt::format("the start value of {} must be a parameter expression", c->name),
               "use only constants and parameters in it");
      return;
    }
    flat::Variable& v = in.model.variables[index(c->first) + k];
    v.start_declared = v.start != Expr::none;
    v.start = e;
    v.start_set = override_place(in, c);
  }
}

/// Is the variable one of the model itself, so that its input or output is the model's own?
void fill_binding(Instances& in, Component* c, std::vector<flat::Equation>& equations) {
  const auto& value = binding_value(in, c);
  if (!value) return;
  const Place declared = c->modifier && c->modifier->binding ? c->modifier->binding->place : Place{};
  const Place place = has_override(in, c) && c->variability <= flat::Variability::parameter ? override_place(in, c)
                      : declared                                                             ? declared
                                                                                             : c->member->place;
  auto& ex = in.model.expressions;
  std::unordered_map<Expr, flat::Variability> variabilities;
  for (std::size_t k = 0; k < value->elements.size(); ++k) {
    const auto id = static_cast<VariableId>(index(c->first) + k);
    Expr e = value->elements[k];
    if (e == Expr::none) continue;   // only some elements are set, from outside
    // A constant of a record that a library chooses by parameters, as it does the data of batteries: they are known, then.
    if (c->variability == flat::Variability::constant && c->modifier && c->modifier->binding && !c->modifier->binding->steps.empty() && in.is_lenient(place) &&
        variability(in.model, e) == flat::Variability::parameter)
      if (const Expr known = in.evaluated(e); known != Expr::none) e = known;
    const flat::Variability v = variability(in.model, e, variabilities);
    flat::Variable& variable = in.model.variables[index(id)];
    if (c->variability <= flat::Variability::parameter) {
      if (v > c->variability) {
        const char* kind = c->variability == flat::Variability::constant ? "constant" : "parameter";
        in.error(place,
                 fmt::format("{} is a {}, but its value {}", variable.name, kind,
                             v == flat::Variability::parameter ? "depends on a parameter" : "varies with time"),
                 c->variability == flat::Variability::constant && v == flat::Variability::parameter
                     ? "make it a parameter"
                     : fmt::format("declare it without `{}`", kind),
                 {{c->member->place, "declared here"}});
        return;
      }
      variable.binding = e;
      continue;
    }
    if (!check_discrete(in, id, e, place, declared && !c->modifier->binding->steps.empty())) return;
    equations.push_back({ex.variable(id, variable.type, variable.place), e, place, variable.description, id});
  }
}

// ---- equations and algorithms -----------------------------------------------------------------------------------------------

struct Sections {
  Collected equations, initial;
  OwnEquations own;
  bool has_machines = false;
  std::vector<OfObject> objects;       // if it has
};

/// A class inherited twice brings its equations once (MLS 7.1): the classes that an object has been through.
using Inherited = OrderedTable<const parser::ClassDefinition*, bool>;

void flatten_class(Instances& in, Class* c, Sections& out, Inherited& seen) {
  if (c->definition && !seen.try_emplace(c->definition).second) return;
  for (const Class::Base& b : c->bases) flatten_class(in, b.base, out, seen);
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier) return;
  if (specifier->composition.external) {
    in.error(specifier->composition.external->place, "an external clause stands in functions alone");
    return;
  }
  const Environment env = Environment::of(c);
  for (const auto& section : specifier->composition.sections) {
    if (const auto* e = std::get_if<parser::EquationSection>(&section)) {
      Environment inner = env;
      inner.initial = e->initial;
      const AssertionsTo here(in, e->initial ? &out.initial.assertions : nullptr);
      flatten_equations(in, e->equations, inner, e->initial, e->initial ? out.initial : out.equations);
    } else {
      const auto& a = std::get<parser::AlgorithmSection>(section);
      Environment inner = env;
      inner.initial = a.initial;
      (a.initial ? in.model.initial_algorithms : in.model.algorithms).push_back(flatten_algorithm(in, a, inner));
    }
  }
}

void assigned(const flat::Statements& statements, std::unordered_map<VariableId, bool>& only_in_when) {
  each_assignment(statements, [&](const flat::Assignment& a, Place, bool in_when) {
    auto [it, fresh] = only_in_when.try_emplace(a.target, in_when);
    it->second = it->second && in_when;
  });
}

/// How many variables a section determines: those of its equations, of its when-clauses, of its algorithms.
std::int64_t determined(const Instances& in, const Sections& out, std::size_t equations, std::size_t whens, std::size_t algorithms) {
  std::int64_t n = static_cast<std::int64_t>(out.equations.equations.size() - equations);
  for (std::size_t k = whens; k < out.equations.whens.size(); ++k) {
    std::unordered_set<VariableId> targets;
    for (const flat::WhenBranch& b : out.equations.whens[k].branches)
      for (const flat::WhenAction& a : b.body)
        if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node)) targets.insert(s->target);
        else n += std::holds_alternative<flat::ClockedEquation>(a.node);
    n += static_cast<std::int64_t>(targets.size());
  }
  for (std::size_t k = algorithms; k < in.model.algorithms.size(); ++k) {
    std::unordered_map<VariableId, bool> targets;
    assigned(in.model.algorithms[k].statements, targets);
    n += static_cast<std::int64_t>(targets.size());
  }
  return n;
}

/// A run ends when the condition of an if-equation with terminate becomes true, or once it is initialised, if it is true from the start: in
/// an initial equation, then alone.
void end_under_conditions(Instances& in, Sections& out, std::size_t first) {
  auto& ex = in.model.expressions;
  const auto act = [&](const flat::Termination& t, bool later) {
    if (later && variability(in.model, t.condition) == flat::Variability::continuous)
      in.diagnostics.push_back({Severity::warning, t.place, "this condition of terminate makes no event, so it is looked at only where something else makes one", "leave out noEvent", {}});
    flat::When w;
    w.place = t.place;
    flat::WhenBranch& branch = w.branches.emplace_back();
    branch.place = t.place;
    branch.conditions.push_back(ex.make(Op::initial, BaseType::boolean, {}, t.place));
    if (later) branch.conditions.push_back(t.condition);
    branch.body.push_back({t.condition, flat::Termination{t.message, t.place}});
    out.equations.whens.push_back(std::move(w));
  };
  auto& list = out.equations.terminations;
  for (std::size_t k = first; k < list.size(); ++k)
    if (list[k].condition != Expr::none) act(list[k], true);
  list.erase(std::remove_if(list.begin() + static_cast<std::ptrdiff_t>(first), list.end(), [](const flat::Termination& t) { return t.condition != Expr::none; }), list.end());
  for (const flat::Termination& t : out.initial.terminations) act(t, false);
  out.initial.terminations.clear();
}

void flatten_object(Instances& in, Class* object, Sections& out, int depth) {
  for (Member* m : object->members) {
    if (m->is_class() || m->broken || !m->component || m->component->removed) continue;
    if (m->outer && !m->inner) continue;   // its inner one is seen to where it is declared
    for (Class* element : m->component->elements) flatten_object(in, element, out, depth + 1);
  }
  const std::size_t equations = out.equations.equations.size(), whens = out.equations.whens.size(), algorithms = in.model.algorithms.size();
  const std::size_t assertions = out.equations.assertions.size(), called = in.model.assertions.size(), terminations = out.equations.terminations.size();
  Inherited seen;
  flatten_class(in, object, out, seen);
  end_under_conditions(in, out, terminations);
  if (out.has_machines) out.objects.push_back({object, {equations, out.equations.equations.size()}, {whens, out.equations.whens.size()},
                         {assertions, out.equations.assertions.size()}, {called, in.model.assertions.size()},
                         {terminations, out.equations.terminations.size()}, {algorithms, in.model.algorithms.size()}});
  if (const std::int64_t n = determined(in, out, equations, whens, algorithms)) out.own[object] = n;
}

// ---- what is discrete ---------------------------------------------------------------------------------------------------------

/// A Real assigned in when-clauses alone is discrete (MLS 3.8.3).
void mark_discrete(flat::Model& model) {
  const auto mark = [&](VariableId v) {
    flat::Variable& variable = model.variables[index(v)];
    if (variable.variability > flat::Variability::discrete) variable.variability = flat::Variability::discrete;
  };
  for (const flat::When& w : model.whens)
    for (const flat::WhenBranch& b : w.branches)
      for (const flat::WhenAction& a : b.body)
        if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node)) mark(s->target);
  std::unordered_map<VariableId, bool> only_in_when;
  for (const flat::Algorithm& a : model.algorithms) assigned(a.statements, only_in_when);
  for (const auto& [v, discrete] : only_in_when)
    if (discrete) mark(v);
}

std::optional<double> experiment_number(Instances& in, const parser::Modification& m, std::string_view name) {
  for (const parser::Argument& a : m.arguments) {
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!e || e->name.parts.size() != 1 || in.text(e->name.parts.front()) != name || !e->modification ||
        !e->modification->binding)
      continue;
    const auto v = elaborate(in, *e->modification->binding, Environment::of(in.root));
    if (!v || !v->scalar() || !is_numeric(v->type)) return {};
    const Expr known = in.evaluated(v->only());
    if (known != Expr::none) return in.model.expressions.number(known);
    in.error(e->name.place, fmt::format("{} must be known before the run", name));
  }
  return {};
}

void read_experiment(Instances& in) {
  const parser::Modification* annotation = in.root->definition->description.annotation;
  if (!annotation) return;
  for (const parser::Argument& a : annotation->arguments) {
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!e || e->name.parts.size() != 1 || in.text(e->name.parts.front()) != "experiment" || !e->modification) continue;
    in.model.experiment.start = experiment_number(in, *e->modification, "StartTime");
    in.model.experiment.stop = experiment_number(in, *e->modification, "StopTime");
    in.model.experiment.tolerance = experiment_number(in, *e->modification, "Tolerance");
    in.model.experiment.interval = experiment_number(in, *e->modification, "Interval");
  }
}

/// Values that were found while inStream was not known yet, for types and sizes alone.
void forget_stream_values(Instances& in) {
  in.elaboration.whole_bindings.clear();
  for (Component* c : in.model_components)
    if (c->binding_known && c->variability > flat::Variability::parameter) {
      c->binding_known = false;
      c->binding.reset();
    }
}

/// Inputs and outputs of the model itself: components at its top, and elements of records and connectors there (MLS 4.4.2.2).
void hand_in(Instances& in, const Component* c, parser::Causality around) {
  if (c->removed) return;
  const parser::Causality own = c->causality == parser::Causality::none ? around : c->causality;
  if (!c->basic) {
    if (c->type && (is_record_class(c->type) || c->is_connector))
      for (const Class* element : c->elements)
        for (const Member* m : element->members)
          if (!m->is_class() && !m->broken && m->component) hand_in(in, m->component, own);
    return;
  }
  if (c->first == VariableId::none) return;
  for (std::size_t k = 0; k < c->size(); ++k)
    in.model.variables[index(c->first) + k].causality = own == parser::Causality::input    ? flat::Causality::input
                                                        : own == parser::Causality::output ? flat::Causality::output
                                                                                           : flat::Causality::none;
}

}  // namespace

bool flatten_model(Instances& in) {
  augment_expandable_connectors(in);
  if (parser::has_errors(in.diagnostics)) return false;
  // `fixed` decides which parameters an initial equation may set, so attributes come first.
  for (Component* c : in.model_components) {
    fill_attributes(in, c);
    set_start(in, c);
  }
  for (Member* m : in.root->members)
    if (!m->is_class() && !m->broken && m->component && m->component->member == m) hand_in(in, m->component, parser::Causality::none);
  Connections connections(in);
  connections.collect();
  connections.solve();
  in.elaboration.connections = &connections;
  if (in.elaboration.streams_unknown) forget_stream_values(in);
  StateMachines machines(in);
  machines.collect();
  in.elaboration.machines = &machines;
  machines.take_conditions();
  for (Component* c : in.model_components) fill_binding(in, c, in.model.equations);
  Sections sections;
  sections.has_machines = machines.any();
  flatten_object(in, in.root, sections, 0);
  connections.equations(sections.equations);
  in.elaboration.connections = nullptr;
  in.elaboration.machines = nullptr;
  auto& m = in.model;
  for (OfObject& of : sections.objects) {   // bindings and what functions assert there come first
    for (std::size_t* k : {&of.equations.from, &of.equations.to}) *k += m.equations.size();
    for (std::size_t* k : {&of.assertions.from, &of.assertions.to}) *k += m.assertions.size();
  }
  std::move(sections.equations.equations.begin(), sections.equations.equations.end(), std::back_inserter(m.equations));
  m.whens = std::move(sections.equations.whens);
  std::move(sections.equations.assertions.begin(), sections.equations.assertions.end(), std::back_inserter(m.assertions));
  m.terminations = std::move(sections.equations.terminations);
  m.initial_equations = std::move(sections.initial.equations);
  m.initial_assertions = std::move(sections.initial.assertions);
  if (!parser::has_errors(in.diagnostics)) count_balance(in, connections, sections.own);
  if (machines.any() && !parser::has_errors(in.diagnostics)) write_machine_equations(in, machines, sections.objects);
  mark_discrete(m);
  follow_between_events(in);
  if (!parser::has_errors(in.diagnostics)) check_discrete_variables(in);
  if (!parser::has_errors(in.diagnostics)) check_discrete_targets(in);
  if (!parser::has_errors(in.diagnostics)) check_domains(in);
  if (!parser::has_errors(in.diagnostics)) check_purity(in);
  read_experiment(in);
  return !parser::has_errors(in.diagnostics);
}

}  // namespace mosim::compiler
