#include "compiler/analyse/analyse.hpp"

#include <cmath>
#include <utility>

#include "compiler/analyse/analysis.hpp"
#include "compiler/analyse/imbalance.hpp"
#include "compiler/analyse/jumping_derivatives.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/stack.hpp"

namespace mosim::compiler {

namespace dae {

Analysis::Analysis(flat::Model model, const parser::Sources& sources_, parser::Diagnostics& diagnostics_)
    : sources(sources_), diagnostics(diagnostics_) {
  system.model = std::move(model);
  system.user_variables = static_cast<std::uint32_t>(system.model.variables.size());
  system.facts.resize(system.user_variables);
}

std::shared_ptr<const Analysis::Checkpoint> Analysis::checkpoint() const {
  return std::make_shared<const Checkpoint>(Checkpoint{system, diagnostics.size(), equations, initial_equations, assigned_by, assigned_with_array, conditions,
                                                       step_count, equation_clocks, when_clocks, algorithm_clocks, said_, said_at_});
}

void Analysis::restore(const Checkpoint& c) {
  system = c.system;
  diagnostics.erase(diagnostics.begin() + std::ptrdiff_t(c.diagnostics), diagnostics.end());
  failed = false;
  equations = c.equations;
  initial_equations = c.initial_equations;
  assigned_by = c.assigned_by;
  assigned_with_array = c.assigned_with_array;
  conditions = c.conditions;
  step_count = c.step_count;
  equation_clocks = c.equation_clocks;
  when_clocks = c.when_clocks;
  algorithm_clocks = c.algorithm_clocks;
  said_ = c.said;
  said_at_ = c.said_at;
}

std::string Analysis::name(Quantity q) {
  const std::string v = said(dae::variable(q));
  switch (part(q)) {
    case Part::value: return "`" + v + "`";
    case Part::derivative: return "`der(" + v + ")`";
    case Part::pre: return "`pre(" + v + ")`";
    case Part::previous: return "`previous(" + v + ")`";
  }
  return v;
}

std::string Analysis::text(const Equation& e) {
  const Expr left = e.source_left != Expr::none ? e.source_left : e.left;
  const Expr right = e.source_right != Expr::none ? e.source_right : e.right;
  const bool with_array = e.why == Why::algorithm && e.target != Quantity::none && assigned_with_array.contains(compiler::index(dae::variable(e.target)));
  const std::string first = print(model(), left), second = print(model(), right);
  if (first == second) return first;   // a helper and what it stands for
  return first + " = " + second + (with_array ? " (initialised with the rest of its array)" : "");
}

std::string Analysis::said(VariableId v) const { return said_name(system.model, v); }

VariableId Analysis::helper(std::string name, BaseType type, VariableKind kind, Place place, std::string meaning) {
  const VariableId v = helper(std::move(name), type, kind, place);
  variable(v).meaning_text = std::move(meaning);
  return v;
}

VariableId Analysis::helper(std::string name, BaseType type, VariableKind kind, Place place, Expr meaning) {
  const auto v = static_cast<VariableId>(system.model.variables.size());
  flat::Variable variable;
  variable.name = std::move(name);
  variable.type = type;
  variable.place = place;
  variable.is_protected = true;
  variable.meaning = meaning;
  variable.variability = kind == VariableKind::algebraic ? flat::Variability::continuous : flat::Variability::discrete;
  system.model.variables.push_back(std::move(variable));
  VariableFacts facts;
  facts.kind = kind;
  system.facts.push_back(facts);
  return v;
}

Expr Analysis::leaf(Quantity q) {
  const VariableId v = dae::variable(q);
  switch (part(q)) {
    case Part::value: return value(v);
    case Part::derivative: return x().of_variable(Op::derivative, v, BaseType::real);
    case Part::pre: return pre(v);
    case Part::previous: return x().of_variable(Op::previous, v, variable(v).type);
  }
  return Expr::none;
}

Expr Analysis::zero(BaseType type, EnumerationId enumeration) {
  switch (type) {
    case BaseType::integer: return x().integer(0);
    case BaseType::boolean: return x().boolean(false);
    case BaseType::string: return x().string("");
    case BaseType::enumeration: return x().enumeration(enumeration, 1);
    default: return x().real(0);
  }
}

Expr Analysis::start(VariableId v) {
  const flat::Variable& variable = this->variable(v);
  if (variable.start != Expr::none) return variable.start;
  if (variable.type == BaseType::enumeration && variable.min != Expr::none) return variable.min;
  if (variable.type == BaseType::real || variable.type == BaseType::integer) {
    const auto low = number(variable.min), high = number(variable.max);
    if (low && *low > 0) return variable.min;
    if (high && *high < 0) return variable.max;
  }
  return zero(variable.type, variable.enumeration);
}

bool Analysis::is_fixed(VariableId v) {
  const Expr fixed = variable(v).fixed;
  if (fixed == Expr::none) return false;
  const Expr value = literal(fixed);
  if (value == Expr::none) {
    error(variable(v).place, "the attribute fixed of " + name(v) + " has no value that is known before the run");
    return false;
  }
  return x().op(value) == Op::boolean && x().payload(value) != 0;
}

Expr Analysis::literal(Expr e, Reliance reliance) {
  if (e == Expr::none || x().is_literal_leaf(e)) return e;
  const Expr value = evaluate(model(), e, [this](VariableId v) {
    const VariableFacts& facts = system.facts[compiler::index(v)];
    return facts.has_value ? facts.value : Expr::none;
  }, nullptr, nullptr, reliance);
  if (model().overlong) error(model().overlong, overlong_text());
  return value;
}

std::optional<double> Analysis::number(Expr e, Reliance reliance) {
  const Expr value = literal(e, reliance);
  if (value == Expr::none) return {};
  if (x().is_number(value)) return x().number(value);
  if (x().op(value) == Op::boolean || x().op(value) == Op::enumeration) return x().payload(value);
  return {};
}

double Analysis::nominal(VariableId v) {
  const auto given = number(variable(v).nominal);
  return given && *given != 0 && std::isfinite(*given) ? std::abs(*given) : 1;
}

// Once each, and a few for one place: the elements of an array, the rounds of a loop.
bool Analysis::is_new(Place place, const std::string& cause) {
  constexpr int most_at_one_place = 5;
  const std::size_t where = std::hash<std::uint64_t>()((std::uint64_t(place.begin) << 32 | place.end) * 0x9e3779b97f4a7c15u);
  if (!said_.insert(where ^ std::hash<std::string>()(cause)).second) return false;
  return !place || ++said_at_[where] <= most_at_one_place;
}

void Analysis::error(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes) {
  failed = true;
  if (!is_new(place, cause)) return;
  diagnostics.push_back({parser::Severity::error, place, std::move(cause), std::move(remedy), std::move(notes)});
}

void Analysis::warning(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes) {
  if (!is_new(place, cause)) return;
  diagnostics.push_back({parser::Severity::warning, place, std::move(cause), std::move(remedy), std::move(notes)});
}

Quantity quantity_of(const Expressions& x, Expr e) {
  switch (x.op(e)) {
    case Op::variable: return quantity(x.variable(e), Part::value);
    case Op::derivative: return quantity(x.variable(e), Part::derivative);
    case Op::pre: return quantity(x.variable(e), Part::pre);
    case Op::previous: return quantity(x.variable(e), Part::previous);
    default: return Quantity::none;
  }
}

void rewrite_all(Analysis& a, const std::function<Expr(Expr)>& rewrite) {
  const auto apply = [&](Expr& e) {
    if (e != Expr::none) e = rewrite(e);
  };
  const auto equations = [&](std::vector<Equation>& list) {
    for (Equation& e : list) {
      apply(e.left);
      apply(e.right);
      apply(e.guard);
    }
  };
  equations(a.equations);
  equations(a.initial_equations);
  System& s = a.system;
  for (Relation& r : s.relations) apply(r.relation);
  for (EventFunction& f : s.event_functions) apply(f.argument);
  for (Sample& sample : s.samples) {
    apply(sample.start);
    apply(sample.interval);
  }
  for (Delay& d : s.delays)
    for (Expr* e : {&d.maximum, &d.lag}) apply(*e);
  for (SpatialDistribution& t : s.spatial_distributions)
    for (Expr& e : t.values) apply(e);
  const auto assertion = [&](flat::Assertion& check) {
    apply(check.condition);
    apply(check.message);
  };
  for (WhenEffect& effect : s.effects) {
    apply(effect.guard);
    if (auto* r = std::get_if<flat::Reinit>(&effect.node)) apply(r->value);
    if (auto* c = std::get_if<flat::Assertion>(&effect.node)) assertion(*c);
    if (auto* t = std::get_if<flat::Termination>(&effect.node)) apply(t->message);
  }
  for (flat::Assertion& check : s.assertions) assertion(check);
  for (flat::Assertion& check : s.initial_assertions) assertion(check);
  for (flat::Termination& t : s.terminations) apply(t.message);
  for (BaseClock& clock : s.base_clocks) {
    apply(clock.counter);
    apply(clock.interval);
    apply(clock.start_interval);
  }
  for (Sampled& sampled : s.sampled) apply(sampled.value);
}

}  // namespace dae

namespace {

/// Each pass relies on what the ones before it have found right.
bool run_passes(dae::Analysis& a, std::initializer_list<void (*)(dae::Analysis&)> passes) {
  for (const auto pass : passes) {
    pass(a);
    if (a.failed) return false;
  }
  return true;
}

std::optional<dae::System> analyse_here(flat::Model&& model, const parser::Sources& sources, parser::Diagnostics& diagnostics) {
  dae::Analysis a(std::move(model), sources, diagnostics);
  if (!run_passes(a, {dae::order_parameters, dae::infer_clocks, dae::check_left_limits, dae::warn_of_jumping_derivatives, dae::collect_equations, dae::share_sums, dae::check_dependent_equations, dae::drop_vanishing_terms})) return {};
  const auto after_wishes = [&] {
    return run_passes(a, {dae::select_states, dae::classify_relations, dae::guard_relations, dae::sort_equations, dae::sort_initial_system});
  };
  const auto rest = [&] {
    if (!run_passes(a, {dae::remove_aliases, dae::resolve_semi_linear, dae::add_wanted_derivatives})) return false;
    const auto before = std::exchange(a.before_velocities, nullptr);
    if (after_wishes()) return true;
    if (!before) return false;
    a.restore(*before);
    return after_wishes();
  };
  bool done = rest();
  if (!done && a.before_vanishing) {
    // What is wrong is told of the equations as written; and where an initial condition is for what has vanished, they may do.
    const auto before = std::exchange(a.before_vanishing, nullptr);
    a.restore(*before);
    done = rest();
  }
  if (!done) return {};
  dae::warn_of_uneven_connectors(a);
  return std::move(a.system);
}

}  // namespace

std::optional<dae::System> analyse(flat::Model model, const parser::Sources& sources, parser::Diagnostics& diagnostics) {
  std::optional<dae::System> system;
  on_large_stack([&] { system = analyse_here(std::move(model), sources, diagnostics); });
  return system;
}

}  // namespace mosim::compiler
