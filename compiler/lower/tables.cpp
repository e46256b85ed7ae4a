// The tables of a program: variables, events, clocks, messages.

#include <cmath>
#include <set>
#include <tuple>
#include <unordered_set>

#include "compiler/expression/print.hpp"
#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

using runtime::none;

namespace {

runtime::Type type_of(BaseType type) {
  switch (type) {
    case BaseType::integer: return runtime::Type::integer;
    case BaseType::boolean: return runtime::Type::boolean;
    case BaseType::enumeration: return runtime::Type::enumeration;
    case BaseType::string: return runtime::Type::string;
    default: return runtime::Type::real;
  }
}

runtime::Kind kind_of(dae::VariableKind kind) {
  using dae::VariableKind;
  switch (kind) {
    case VariableKind::constant: return runtime::Kind::constant;
    case VariableKind::parameter: case VariableKind::free_parameter: return runtime::Kind::parameter;
    case VariableKind::state: return runtime::Kind::state;
    case VariableKind::discrete: case VariableKind::clocked: case VariableKind::flag: return runtime::Kind::discrete;
    default: return runtime::Kind::algebraic;
  }
}

std::string per_second(const std::string& unit) {
  if (unit.empty()) return unit;
  const std::size_t slash = unit.find('/');
  if (slash == std::string::npos) return unit + "/s";
  std::string below = unit.substr(slash + 1);
  if (below.size() > 2 && below.front() == '(' && below.back() == ')') below = below.substr(1, below.size() - 2);
  return unit.substr(0, slash) + "/(" + below + ".s)";
}

// Of the compiler's own, and the derivatives of these.
bool is_hidden(std::string_view name) {
  while (name.starts_with("der(")) name.remove_prefix(4);
  return name.starts_with('$');
}

}  // namespace

double Lowering::nominal(VariableId v) {
  const Expr given = model_.variable(v).nominal;
  const Expr value = given == Expr::none ? given : literal(given);
  if (value == Expr::none || !x_.is_number(value)) return 1;
  const double number = std::abs(x_.number(value));
  return number > 0 && std::isfinite(number) ? number : 1;
}

const runtime::Literals& Lowering::literals_of(EnumerationId type) {
  const auto [it, fresh] = literals_.try_emplace(type);
  if (fresh) it->second = model_.enumerations[index(type)].literals;
  return it->second;
}

void Lowering::number_variables() {
  Index numbered = 0;
  for (std::size_t i = 0; i < model_.variables.size(); ++i) {
    const dae::VariableKind kind = s_.facts[i].kind;
    if (kind == dae::VariableKind::gone || (is_hidden(model_.variables[i].name) && kind != dae::VariableKind::state)) continue;
    variable_number_[i] = numbered++;
  }
  p_.states.reserve(s_.states.size());
  for (VariableId state : s_.states) p_.states.push_back({variable_number_[index(state)], nominal(state)});
  for (const dae::AssumedStart& assumed : s_.assumed_starts) {
    const Index number = variable_number_[index(assumed.variable)];
    if (number != none) p_.assumed_starts.push_back(number);
  }
  for (std::size_t i = 0; i < model_.variables.size(); ++i) {
    if (pre_[i] == none) continue;
    const dae::VariableKind kind = s_.facts[i].kind;
    const bool is_signal = kind == dae::VariableKind::input && model_.variables[i].type == BaseType::real;
    const bool discrete = kind != dae::VariableKind::state && kind != dae::VariableKind::algebraic && !is_signal;
    p_.pre.push_back({value_[i], pre_[i], discrete, variable_number_[i]});
  }
}

std::map<std::size_t, Lowering::Said> Lowering::said_of_variables() const {
  std::map<std::size_t, Said> said;
  for (std::size_t i = 0; i < model_.variables.size(); ++i) {
    const flat::Variable& source = model_.variables[i];
    const dae::VariableFacts& facts = s_.facts[i];
    if (variable_number_[i] == none) continue;
    if (is_hidden(source.name)) said[i].meaning = said_name(model_, static_cast<VariableId>(i));
    if (source.type == BaseType::string && facts.has_value && x_.op(facts.value) == Op::string) said[i].text = x_.string_value(facts.value);
  }
  return said;
}

void Lowering::variables(const std::map<std::size_t, Said>& said) {
  p_.variables.reserve(model_.variables.size() + s_.states.size());
  std::unordered_set<std::string> named_derivatives;   // variables already: index reduction needs their derivatives
  for (std::size_t i = 0; i < model_.variables.size(); ++i) {
    const flat::Variable& source = model_.variables[i];
    const dae::VariableFacts& facts = s_.facts[i];
    if (variable_number_[i] == none) continue;
    if (i >= s_.user_variables && source.name.starts_with("der(")) named_derivatives.insert(source.name);
    runtime::Variable v;
    v.name = source.name;
    if (const auto it = said.find(i); it != said.end()) {
      v.meaning = it->second.meaning;
      v.text = it->second.text;
    }
    v.description = labels_(source.description.text());
    v.unit = labels_(source.unit.text());
    v.display_unit = labels_(source.display_unit.text());
    v.quantity = labels_(source.quantity.text());
    v.type = type_of(source.type);
    // An alias is what its other is, but there is one state only.
    const dae::VariableKind kind = facts.kind == dae::VariableKind::alias ? s_.fact(facts.alias_of).kind : facts.kind;
    v.kind = facts.kind == dae::VariableKind::alias && kind == dae::VariableKind::state ? runtime::Kind::algebraic : kind_of(kind);
    v.slot = value_[i] == none ? runtime::slot_zero : value_[i];
    v.negated = facts.negated;
    v.is_protected = source.is_protected && i < s_.user_variables;
    v.hidden = source.hidden;
    v.input = source.causality == flat::Causality::input;
    v.output = source.causality == flat::Causality::output;
    v.steady = model_.reliance.steady.contains(static_cast<VariableId>(i));
    if (source.enumeration != EnumerationId::none) v.literals = literals_of(source.enumeration);
    v.origin = origin(source.place, source.name, {});
    p_.variables.push_back(std::move(v));
  }
  for (VariableId state : s_.states) {
    const runtime::Variable& source = p_.variables[variable_number_[index(state)]];
    runtime::Variable v;
    v.name = "der(" + source.name + ")";
    if (!source.meaning.empty()) v.meaning = "der(" + source.meaning + ")";
    const bool known = named_derivatives.count(v.name) > 0;
    v.unit = labels_(per_second(source.unit));
    v.kind = runtime::Kind::derivative;
    v.slot = derivative_[index(state)];
    v.is_protected = source.is_protected;
    v.hidden = source.hidden;
    v.origin = source.origin;
    if (!known) p_.variables.push_back(std::move(v));
  }
}

/// min and max of what is not known, and so checked, before the run.
void Lowering::bounds() {
  constexpr double as_good_as_none = 1e60;   // Modelica.Constants.inf
  std::set<std::tuple<Slot, bool, Slot, Slot>> known;
  const auto limit = [&](Expr e) -> Slot {
    if (e == Expr::none) return none;
    const Expr value = literal(e, Reliance::nothing);
    if (value != Expr::none) {
      const double number = x_.is_number(value) ? x_.number(value) : double(x_.payload(value));
      if (!(std::abs(number) < as_good_as_none)) return none;
      if (x_.is_literal_leaf(e)) return constant(number);
    }
    const Slot slot = new_slot();
    bound_values_.emplace_back(e, slot);
    return slot;
  };
  for (std::uint32_t i = 0; i < s_.user_variables; ++i) {
    const flat::Variable& v = model_.variables[i];
    const dae::VariableFacts& facts = s_.facts[i];
    if ((v.min == Expr::none && v.max == Expr::none) || v.type == BaseType::boolean || variable_number_[i] == none) continue;
    if (facts.kind == dae::VariableKind::constant) continue;
    runtime::Bound bound{variable_number_[i], limit(v.min), limit(v.max), nominal(static_cast<VariableId>(i))};
    if (bound.minimum == none && bound.maximum == none) continue;
    // Names of one thing are told of once.
    if (!known.insert({value_[i], facts.negated, bound.minimum, bound.maximum}).second) continue;
    // That of a parameter whose value is known was looked at: it is for other values than the model's own.
    (facts.kind == dae::VariableKind::parameter && facts.has_value ? p_.parameter_bounds : p_.bounds).push_back(bound);
  }
}

void Lowering::state_sets() {
  const auto slot = [&](VariableId v) { return v == VariableId::none ? runtime::slot_zero : slot_of(v); };
  for (const dae::StateSet& source : s_.state_sets) {
    runtime::StateSet set;
    set.constraints = source.constraints;
    set.never = source.never;
    set.nominal = source.nominal;
    for (VariableId v : source.coefficients) set.coefficients.push_back(slot(v));
    for (VariableId v : source.select) set.select.push_back(slot(v));
    for (const auto& level : source.levels) {
      runtime::StateSet::Level result;
      for (VariableId v : level.states) result.states.push_back(slot(v));
      for (VariableId v : level.candidates) result.candidates.push_back(slot(v));
      set.levels.push_back(std::move(result));
    }
    set.origin = origin(source.place, std::string(sources_.text(source.place)), {});
    if (source.levels.empty()) {
      set.states = source.chosen;
      p_.state_sets.push_back(std::move(set));
      continue;
    }
    const std::size_t candidates = source.levels.front().candidates.size();
    for (std::size_t i = 0; i < source.chosen.size(); ++i) p_.memory[set.select[i * candidates + source.chosen[i]]] = 1;
    p_.state_sets.push_back(std::move(set));
  }
}

void Lowering::events() {
  for (const dae::Relation& source : s_.relations) {
    runtime::Relation r;
    switch (x_.op(source.relation)) {
      case Op::less: r.comparison = runtime::Comparison::less; break;
      case Op::less_equal: r.comparison = runtime::Comparison::less_equal; break;
      case Op::greater: r.comparison = runtime::Comparison::greater; break;
      default: r.comparison = runtime::Comparison::greater_equal; break;
    }
    r.time_event = source.time_event;
    r.rising = source.rising;
    if (r.time_event) r.instant = new_slot();
    r.epsilon = new_slot();
    r.origin = origin(source.place, print_brief(model_, source.source), {source.relation});
    p_.relations.push_back(r);
  }
  for (const dae::EventFunction& source : s_.event_functions) {
    runtime::EventFunction f;
    using Rounding = dae::EventFunction::Rounding;
    f.rounding = source.rounding == Rounding::floor  ? runtime::Rounding::floor
                 : source.rounding == Rounding::ceil ? runtime::Rounding::ceil
                                                     : runtime::Rounding::truncate;
    f.epsilon = new_slot();
    f.origin = origin(source.place, print_brief(model_, source.source), {source.argument});
    p_.event_functions.push_back(f);
  }
  for (const dae::Sample& source : s_.samples) {
    runtime::Sample sample;
    sample.start = new_slot();
    sample.interval = new_slot();
    sample.flag = slot_of(source.variable);
    sample.origin = origin(source.place, "sample(" + print_brief(model_, source.start) + ", " + print_brief(model_, source.interval) + ")",
                           {source.start, source.interval});
    p_.samples.push_back(sample);
  }
  for (const dae::Delay& source : s_.delays) {
    delay_of_[index(source.input)] = static_cast<Index>(p_.delays.size());
    p_.delays.push_back({slot_of(source.input), new_slot(), source.lag == Expr::none ? none : new_slot(), source.discrete,
                         origin(source.place, print_brief(model_, source.source), {}),
                         source.varying == VariableId::none ? none : slot_of(source.varying)});
  }
  for (const dae::SpatialDistribution& source : s_.spatial_distributions) {
    runtime::SpatialDistribution t;
    t.in0 = slot_of(source.in0);
    t.in1 = slot_of(source.in1);
    t.x = slot_of(source.x);
    t.positive = slot_of(source.positive);
    t.events = source.events;
    for (Expr e : source.points) t.points.push_back(x_.number(literal(e)));
    for (std::size_t k = 0; k < source.values.size(); ++k) t.values.push_back(new_slot());
    t.origin = origin(source.place, "spatialDistribution", {});
    spatial_distribution_of_[index(source.in0)] = static_cast<Index>(p_.spatial_distributions.size());
    p_.spatial_distributions.push_back(std::move(t));
  }
  for (const dae::Branch& source : s_.branches) {
    runtime::When when;
    when.fired = slot_of(source.active);
    // The conditions under their full names: a component's source line serves all of its instances.
    std::string text;
    for (const dae::Condition& c : source.conditions) text += (text.empty() ? "" : ", ") + print_brief(model_, c.source);
    if (source.conditions.size() != 1) text = "{" + text + "}";
    when.origin = origin(source.place, text, {});
    for (const dae::Condition& c : source.conditions) {
      runtime::WhenCondition condition;
      condition.value = c.initial ? runtime::slot_initial : slot_of(c.variable);
      condition.pre = c.initial || c.pulse ? runtime::slot_zero : pre_[index(c.variable)];
      condition.origin = origin(c.place, print_brief(model_, c.source), {c.source});
      when.conditions.push_back(condition);
    }
    p_.whens.push_back(std::move(when));
  }
}

void Lowering::clocks() {
  std::vector<std::vector<const dae::SubClock*>> of_base(s_.base_clocks.size());
  for (const dae::SubClock& sub : s_.sub_clocks) of_base.at(sub.base).push_back(&sub);
  for (std::size_t i = 0; i < s_.base_clocks.size(); ++i) {
    const dae::BaseClock& source = s_.base_clocks[i];
    runtime::BaseClock clock;
    using Kind = dae::BaseClock::Kind;
    clock.kind = source.kind == Kind::rational ? runtime::ClockKind::rational
                 : source.kind == Kind::real   ? runtime::ClockKind::real
                                               : runtime::ClockKind::event;
    if (source.counter != Expr::none) clock.counter = new_slot();
    clock.resolution = double(source.resolution);
    if (source.interval != Expr::none) clock.interval = new_slot();
    clock.varying = source.varying;
    if (source.condition != VariableId::none) clock.condition = slot_of(source.condition);
    if (source.start_interval != Expr::none) clock.start_interval = new_slot();
    clock.subdivision = source.subdivision;
    clock.origin = origin(source.place, source.place ? std::string(sources_.text(source.place)) : "Clock", {});
    for (const dae::SubClock* const one : of_base[i]) {
      const dae::SubClock& sub = *one;
      runtime::SubClock c;
      c.tick = slot_of(sub.tick);
      if (sub.interval != VariableId::none) c.interval = slot_of(sub.interval);
      if (sub.first != VariableId::none) c.first = slot_of(sub.first);
      c.factor = sub.factor;
      c.shift = sub.shift;
      c.origin = origin(sub.place, sub.place ? std::string(sources_.text(sub.place)) : "Clock", {});
      clock.clocks.push_back(c);
    }
    p_.clocks.push_back(std::move(clock));
  }
  for (const flat::Transition& t : model_.transitions) {
    const dae::VariableFacts& facts = s_.fact(t.fired);
    if (facts.clock == dae::none) continue;
    p_.transitions.push_back({slot_of(s_.sub_clocks[facts.clock].tick), slot_of(t.fired), double(t.number), t.from, t.to, !t.immediate,
                              origin(t.place, print_brief(model_, t.condition), {})});
  }
}

// ---- messages -------------------------------------------------------------------------------------------------------

namespace {
constexpr std::size_t most_pieces = 500;
}

void Lowering::add_pieces(runtime::Text& text, Expr message, std::vector<std::pair<Expr, std::size_t>>& values) {
  // Concatenations are deep on the left.
  std::vector<Expr> stack{message};
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    // One that has very many parts is put together from some that are made on their own.
    const bool many = text.pieces.size() + stack.size() > most_pieces && e != message;
    if (x_.op(e) == Op::add && x_.type(e) == BaseType::string && !many) {
      stack.push_back(x_.child(e, 1));
      stack.push_back(x_.child(e, 0));
      continue;
    }
    // What is converted stays a value of the run: a parameter in a message may be changed.
    const Expr known = x_.op(e) == Op::string_of ? Expr::none : literal(e);
    if (known != Expr::none && x_.op(known) == Op::string) {
      text.pieces.push_back({x_.string_value(known), none, runtime::Type::string, {}, {}});
      continue;
    }
    if (x_.op(e) != Op::string_of) {
      values.emplace_back(e, text.pieces.size());
      text.pieces.push_back({"", none, runtime::Type::string, {}, {}});
      continue;
    }
    runtime::Text::Piece piece;
    const Expr value = x_.child(e, 0);
    piece.type = type_of(x_.type(value));
    values.emplace_back(value, text.pieces.size());
    if (x_.type(value) == BaseType::enumeration) {
      Expr leaf = value;   // all branches of an if have one type
      while (x_.op(leaf) == Op::if_) leaf = x_.child(leaf, 1);
      EnumerationId id = x_.enumeration(leaf);
      if (x_.op(leaf) == Op::variable || x_.op(leaf) == Op::pre || x_.op(leaf) == Op::previous) id = model_.variable(x_.variable(leaf)).enumeration;
      if (id != EnumerationId::none) piece.literals = literals_of(id);
    }
    const auto option = [&](std::size_t i) { return i < x_.children(e).size() ? literal(x_.child(e, i)) : Expr::none; };
    if (const Expr o = option(1); o != Expr::none && x_.is_number(o)) piece.format.minimum_length = std::int32_t(x_.number(o));
    if (const Expr o = option(2); o != Expr::none && x_.op(o) == Op::boolean) piece.format.left_justified = x_.payload(o) != 0;
    if (const Expr o = option(3); o != Expr::none && x_.is_number(o)) piece.format.significant_digits = std::int32_t(x_.number(o));
    if (const Expr o = option(4); o != Expr::none && x_.op(o) == Op::string) piece.format.c_format = x_.string_value(o);
    text.pieces.push_back(std::move(piece));
  }
}

runtime::Text Lowering::text(Expr message) {
  runtime::Text result;
  std::vector<std::pair<Expr, std::size_t>> values;
  if (message != Expr::none) add_pieces(result, message, values);
  if (values.empty()) return result;
  result.code = begin_section();
  own_temporaries_ = true;
  for (const auto& [value, piece] : values) result.pieces[piece].value = emit(value, new_slot());
  own_temporaries_ = false;
  end_section();
  return result;
}

}  // namespace mosim::compiler
