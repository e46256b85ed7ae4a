#include "compiler/lower/lower.hpp"

#include "compiler/expression/print.hpp"
#include "compiler/expression/statement_walk.hpp"
#include "compiler/lower/lowering.hpp"
#include "compiler/stack.hpp"
#include "runtime/opcode.hpp"

namespace mosim::compiler {

using runtime::none;

Lowering::Lowering(dae::System& system, const parser::Sources& sources, std::size_t kernels_from)
    : kernels_from_(kernels_from), s_(system), sources_(sources), model_(system.model), x_(model_.expressions), walker_(x_) {}

runtime::Program Lowering::run(bool stays) {
  x_.forget_known();
  p_.model = model_.name;
  p_.description = model_.description;
  p_.folders = model_.folders;
  p_.experiment = {model_.experiment.start, model_.experiment.stop, model_.experiment.tolerance, model_.experiment.interval};
  p_.uses_homotopy = s_.uses_homotopy;
  lay_out();
  functions();
  number_variables();
  bounds();
  state_sets();
  events();
  clocks();
  parameters();
  if (s_.initial_goes_on) begin_initial();
  else initial();
  continuous();
  event();
  if (s_.initial_goes_on) initial();
  instants();
  crossings();
  state_sets_alone();
  quiet_relations();
  assertions();
  jacobian();
  list_changeable();
  std::vector<runtime::Changeable>().swap(changeable_);
  // Last, and with nothing left of what code needed while it was made: that takes more room.
  s_.forget_order();
  origins_ = {};
  equation_origins_.reset();
  other_origins_ = {};
  real_slots_.reset();
  std::vector<Slot>().swap(constants_);
  constant_places_ = {};
  walker_.reset();
  p_.code.shrink_to_fit();
  p_.code_origins.shrink_to_fit();
  const auto said = said_of_variables();
  if (!stays) x_ = Expressions();
  variables(said);
  return std::move(p_);
}

/// Whether the parameters section can compute it.
bool Lowering::known_before_run(Expr e) {
  bool known = true;
  walker_.each(e, [&](Expr n) {
    const dae::Quantity q = dae::quantity_of(x_, n);
    if (q != dae::Quantity::none) {
      const dae::VariableKind kind = s_.fact(dae::variable(q)).kind;
      known = known && (kind == dae::VariableKind::constant || kind == dae::VariableKind::parameter);
    }
    known = known && !looks_back(x_.op(n));
    return known;
  });
  return known;
}

/// A literal goes into memory, anything else is computed.
void Lowering::given(Expr e, Slot slot) {
  if (e == Expr::none || slot == none) return;
  if (x_.is_literal_leaf(e)) {
    p_.memory[slot] = x_.op(e) == Op::string ? string_number(x_.string_value(e)) : x_.is_number(e) ? x_.number(e) : double(x_.payload(e));
    return;
  }
  if (!known_before_run(e)) return;
  emit(e, slot);
}

void Lowering::parameters() {
  p_.parameters = begin_section();
  const auto start = [&](VariableId v) {
    const flat::Variable& variable = model_.variable(v);
    if (variable.start != Expr::none) return variable.start;
    if (variable.type == BaseType::enumeration) return variable.min != Expr::none ? variable.min : x_.integer(1);
    const auto bound = [&](Expr e) { return e == Expr::none ? Expr::none : literal(e); };
    const Expr low = bound(variable.min), high = bound(variable.max);
    if (low != Expr::none && x_.is_number(low) && x_.number(low) > 0) return low;
    if (high != Expr::none && x_.is_number(high) && x_.number(high) < 0) return high;
    return x_.real(0);
  };
  for (VariableId v : s_.parameters) {
    const flat::Variable& variable = model_.variable(v);
    const Expr own = variable.binding != Expr::none ? variable.binding : start(v);
    variable.variability == flat::Variability::parameter ? changeable(v, own, value_[index(v)]) : given(own, value_[index(v)]);
  }
  for (std::size_t i = 0; i < model_.variables.size(); ++i) {
    const auto v = static_cast<VariableId>(i);
    switch (s_.facts[i].kind) {
      case dae::VariableKind::state: case dae::VariableKind::algebraic: case dae::VariableKind::discrete: case dae::VariableKind::clocked: case dae::VariableKind::input:
      case dae::VariableKind::free_parameter:
        if (model_.variables[i].start != Expr::none) changeable_start(v, start(v));
        else if (i < s_.user_variables) given(start(v), value_[i]);
        break;
      default: break;
    }
  }
  for (const auto& [bound, slot] : bound_values_) given(bound, slot);
  may_be_infinite_ = true;   // as the sides of relations are
  open_scope();
  for (std::size_t i = 0; i < s_.relations.size(); ++i) given(s_.relations[i].epsilon, p_.relations[i].epsilon);
  close_scope();
  may_be_infinite_ = false;
  for (std::size_t i = 0; i < s_.event_functions.size(); ++i)
    given(s_.event_functions[i].epsilon, p_.event_functions[i].epsilon);
  for (std::size_t i = 0; i < s_.samples.size(); ++i) {
    given(s_.samples[i].start, p_.samples[i].start);
    given(s_.samples[i].interval, p_.samples[i].interval);
  }
  for (std::size_t i = 0; i < s_.delays.size(); ++i) {
    given(s_.delays[i].maximum, p_.delays[i].maximum);
    given(s_.delays[i].lag, p_.delays[i].lag);
  }
  for (std::size_t i = 0; i < s_.spatial_distributions.size(); ++i)
    for (std::size_t k = 0; k < s_.spatial_distributions[i].values.size(); ++k) given(s_.spatial_distributions[i].values[k], p_.spatial_distributions[i].values[k]);
  for (std::size_t i = 0; i < s_.base_clocks.size(); ++i) {
    const dae::BaseClock& clock = s_.base_clocks[i];
    if (clock.varying) continue;
    given(clock.counter, p_.clocks[i].counter);
    given(clock.interval, p_.clocks[i].interval);
    given(clock.start_interval, p_.clocks[i].start_interval);
  }
  end_section(Runs::once);
}

// ---- sections -------------------------------------------------------------------------------------------------------

/// What stands before the code for an event where the initial system goes on with that: start values, which need no further section.
void Lowering::begin_initial() {
  in_initial_ = calls_once_ = true;
  const Entry from = begin_section();
  emit_blocks(s_.initial);
  make_kernels(from, false);
  begun_ = {from, {p_.code.begin() + from, p_.code.end()}, {p_.code_origins.begin() + from, p_.code_origins.end()}};
  p_.code.resize(from);
  p_.code_origins.resize(from);
  s_.initial = {};
  in_initial_ = calls_once_ = false;
}

void Lowering::initial() {
  in_initial_ = calls_once_ = true;
  p_.initial = begin_section();
  emit_blocks(s_.initial);
  if (s_.initial_goes_on) {
    const Entry to = here();
    for (std::size_t k = 0; k < begun_.code.size(); ++k) copy(begun_.code[k], begun_.origins[k], begun_.from, to);
    begun_ = {};
    copy_section(p_.event);
  }
  // What follows from parameters that are found here: when time events come, and how far back delays reach.
  const auto late = [this](Expr e, Slot slot) {
    if (e != Expr::none && slot != none && !x_.is_literal_leaf(e) && !known_before_run(e)) emit(e, slot);
  };
  for (const auto& [bound, slot] : bound_values_) late(bound, slot);
  for (std::size_t i = 0; i < s_.samples.size(); ++i) {
    late(s_.samples[i].start, p_.samples[i].start);
    late(s_.samples[i].interval, p_.samples[i].interval);
  }
  for (std::size_t i = 0; i < s_.spatial_distributions.size(); ++i)
    for (std::size_t k = 0; k < s_.spatial_distributions[i].values.size(); ++k) late(s_.spatial_distributions[i].values[k], p_.spatial_distributions[i].values[k]);
  for (std::size_t i = 0; i < s_.delays.size(); ++i) {
    late(s_.delays[i].maximum, p_.delays[i].maximum);
    late(s_.delays[i].lag, p_.delays[i].lag);
  }
  for (std::size_t i = 0; i < s_.base_clocks.size(); ++i) {
    if (s_.base_clocks[i].varying) continue;
    late(s_.base_clocks[i].counter, p_.clocks[i].counter);
    late(s_.base_clocks[i].interval, p_.clocks[i].interval);
    late(s_.base_clocks[i].start_interval, p_.clocks[i].start_interval);
  }
  if (guessed_ != none) instruction(Opcode::move, guessed_, runtime::slot_one);
  for (std::uint32_t i = 0; i < s_.user_variables; ++i) {
    const Expr start = model_.variables[i].start;
    const dae::VariableKind kind = s_.facts[i].kind;
    if (start == Expr::none || known_before_run(start) || can_fault(start)) continue;
    if (kind != dae::VariableKind::state && kind != dae::VariableKind::algebraic && kind != dae::VariableKind::discrete && kind != dae::VariableKind::free_parameter) continue;
    p_.starts.push_back({value_[i], emit(start, new_slot())});
  }
  for (VariableId v : s_.pre_of_helpers) instruction(Opcode::move, pre_[index(v)], value_[index(v)]);
  // A call for its effect counts once all is known (E14); what else is said belongs to each pass.
  std::vector<const dae::WhenEffect*> effects;
  std::vector<const flat::Assertion*> calls;
  for (const dae::WhenEffect& effect : s_.effects) {
    if (!s_.active_initially(effect) || std::holds_alternative<flat::Reinit>(effect.node)) continue;
    const auto* c = std::get_if<flat::Assertion>(&effect.node);
    if (c && has_counting_call(model_, c->condition)) effects.push_back(&effect);
    else emit_effect(effect);
  }
  for (const flat::Assertion& assertion : s_.initial_assertions) {
    if (has_counting_call(model_, assertion.condition)) calls.push_back(&assertion);
    else emit_check(assertion);
  }
  for (const flat::Termination& t : s_.terminations) emit_terminate(t);
  end_section();
  if (!effects.empty() || !calls.empty()) {
    p_.initially = begin_section();
    for (const dae::WhenEffect* effect : effects) emit_effect(*effect);
    for (const flat::Assertion* call : calls) emit_check(*call);
    end_section();
  }
  in_initial_ = calls_once_ = false;
  s_.initial = {};
}

void Lowering::continuous() {
  for (const bool derivatives : {true, false}) {
    const Entry entry = begin_section();
    in_derivatives_ = derivatives;
    (derivatives ? p_.derivatives : p_.outputs) = entry;
    for (std::size_t i = 0; i < s_.continuous().blocks.size(); ++i)
      if (s_.for_derivatives[i] == derivatives) emit_block(s_.continuous(), s_.continuous().blocks[i]);
    in_derivatives_ = false;
    end_section(Runs::between_events);
  }
}

void Lowering::emit_effect(const dae::WhenEffect& effect) {
  std::vector<Entry> skips;
  if (effect.branch != dae::none)
    skips.push_back(jump(Opcode::jump_if_zero, slot_of(s_.branches[effect.branch].active)));
  open_scope();
  if (effect.guard != Expr::none) {
    const Slot guard = emit(effect.guard);
    skips.push_back(jump(Opcode::jump_if_zero, guard));
  }
  open_scope();
  if (const auto* r = std::get_if<flat::Reinit>(&effect.node)) {
    const Slot value = emit(r->value);
    const auto number = static_cast<Index>(p_.reinits.size());
    const Index from = origin(r->place, "reinit(" + model_.variable(r->state).name + ", " + print_brief(model_, r->value) + ")",
                              {r->value, x_.variable(r->state, BaseType::real)});
    p_.reinits.push_back({s_.fact(r->state).number, from, effect.branch, turns(effect.branch, r->state)});
    instruction(Opcode::reinit, 0, value, 0, number, from);
  } else if (const auto* c = std::get_if<flat::Assertion>(&effect.node)) {
    emit_check(*c);
  } else if (const auto* t = std::get_if<flat::Termination>(&effect.node)) {
    emit_terminate(*t);
  }
  close_scope();
  close_scope();
  for (Entry skip : skips) land(skip);
}

void Lowering::emit_check(const flat::Assertion& assertion) {
  const Slot condition = emit(assertion.condition);
  if (x_.is_returned(assertion.condition)) return;
  runtime::Assertion result;
  result.warning = assertion.warning;
  result.ours = assertion.ours;
  result.origin = origin(assertion.place, print_brief(model_, assertion.condition), {assertion.condition});
  const auto number = static_cast<Index>(p_.assertions_table.size());
  const Index from = result.origin;
  p_.assertions_table.push_back(std::move(result));
  messages_.push_back({assertion.message, number, false});
  instruction(Opcode::check, 0, condition, 0, number, from);
}

void Lowering::emit_terminate(const flat::Termination& termination) {
  runtime::Termination result;
  result.origin = origin(termination.place, "terminate", {});
  const auto number = static_cast<Index>(p_.terminations.size());
  const Index from = result.origin;
  p_.terminations.push_back(std::move(result));
  messages_.push_back({termination.message, number, true});
  instruction(Opcode::terminate, 0, 0, 0, number, from);
}

/// Whether code for the derivatives and the outputs is code for an event: what is quiet between events, and calls that count, have other code there.
bool Lowering::is_event_continuous() const { return !s_.between_events && quiet_order_.empty() && model_.functions.empty(); }

/// An instruction of code that began at `from`, for the same code at `to`.
void Lowering::copy(const runtime::Instruction i, Index origin, Entry from, Entry to) {
  instruction(i.op, runtime::facts(i.op).jumps ? i.a - from + to : i.a, i.b, i.c, i.d, origin);
}

/// The code of a section, once more: for another one, which goes on behind it.
void Lowering::copy_section(Entry from) {
  const Entry to = here();
  for (Entry at = from; p_.code[at].op != Opcode::end; ++at) copy(p_.code[at], p_.code_origins[at], from, to);
}

void Lowering::event() {
  calls_once_ = true;
  p_.event = begin_section();
  std::vector<std::vector<VariableId>> previous(s_.sub_clocks.size());
  std::vector<std::vector<const dae::Sampled*>> sampled_at(s_.sub_clocks.size());
  for (VariableId v : s_.previous)
    if (const std::uint32_t clock = s_.fact(v).clock; clock < previous.size()) previous[clock].push_back(v);
  for (const dae::Sampled& sampled : s_.sampled)
    if (sampled.clock < sampled_at.size()) sampled_at[sampled.clock].push_back(&sampled);
  // A tick begins with what was before it: previous values and left limits, before anything is computed anew.
  for (std::size_t c = 0; c < s_.sub_clocks.size(); ++c) {
    const Entry skip = jump(Opcode::jump_if_zero, slot_of(s_.sub_clocks[c].tick));
    open_scope();
    for (VariableId v : previous[c]) instruction(Opcode::move, previous_[index(v)], value_[index(v)]);
    for (const dae::Sampled* sampled : sampled_at[c]) emit(sampled->value, value_[index(sampled->variable)]);
    close_scope();
    land(skip);
  }
  if (!s_.sampled.empty()) {
    // What was read up to here are left limits.
    known_.clear();
    known_order_.clear();
  }
  if (is_event_continuous()) {
    copy_section(p_.derivatives);
    copy_section(p_.outputs);
  } else {
    emit_blocks(s_.event);
  }
  for (const dae::WhenEffect& effect : s_.effects) emit_effect(effect);
  for (const flat::Termination& t : s_.terminations) emit_terminate(t);
  end_section();
  calls_once_ = false;
}

void Lowering::instants() {
  bool any = false;
  for (const dae::Relation& r : s_.relations) any = any || r.time_event;
  for (const dae::BaseClock& clock : s_.base_clocks) any = any || clock.varying;
  if (!any) return;
  p_.instants = begin_section();
  for (std::size_t i = 0; i < s_.relations.size(); ++i)
    if (s_.relations[i].time_event) emit(s_.relations[i].instant, p_.relations[i].instant);
  for (std::size_t i = 0; i < s_.base_clocks.size(); ++i) {
    const dae::BaseClock& clock = s_.base_clocks[i];
    if (!clock.varying) continue;
    if (clock.counter != Expr::none) emit(clock.counter, p_.clocks[i].counter);
    if (clock.interval != Expr::none) emit(clock.interval, p_.clocks[i].interval);
  }
  end_section();
}

/// Which blocks of the continuous equations what is needed takes: the quantities with a mark, and what each_root(need) needs of expressions.
template <class EachRoot>
std::vector<char> Lowering::needed_blocks(std::vector<char> needed, EachRoot&& each_root) {
  const auto need = [&](Expr root) {
    walker_.more(root, [&](Expr e) {
      const dae::Quantity q = dae::quantity_of(x_, e);
      if (q != dae::Quantity::none) needed[dae::index(q)] = 1;
      return true;
    });
  };
  walker_.restart();
  each_root(need);
  const auto& blocks = s_.continuous().blocks;
  std::vector<char> take(blocks.size(), 0);
  for (std::size_t i = blocks.size(); i-- > 0;) {
    for (const dae::Solved& solved : blocks[i].assignments()) take[i] = take[i] || needed[dae::index(solved.unknown)];
    for (dae::Quantity q : blocks[i].unknowns()) take[i] = take[i] || needed[dae::index(q)];
    if (!take[i]) continue;
    for (const dae::Solved& solved : blocks[i].assignments()) need(solved.value);
    for (const dae::Residual& r : blocks[i].residuals()) need(r.left), need(r.right);
  }
  return take;
}

/// alone: with those that the derivatives have evaluated already.
void Lowering::emit_taken(const std::vector<char>& taken, bool alone) {
  const auto& blocks = s_.continuous().blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (taken[i] && (alone || !s_.for_derivatives[i])) emit_block(s_.continuous(), blocks[i]);
}

void Lowering::crossings() {
  if (s_.relations.empty() && s_.event_functions.empty() && s_.delays.empty() && s_.spatial_distributions.empty()) return;
  // E14: what is not evaluated has no crossing.
  std::vector<Expr> relation_guards(s_.relations.size(), Expr::none), function_guards(s_.event_functions.size(), Expr::none);
  for (const dae::Equation& e : s_.event.equations) {
    if (e.why == dae::Why::relation) relation_guards[e.number] = e.guard;
    if (e.why == dae::Why::event_function) function_guards[e.number] = e.guard;
  }
  // What is read of delays that vary, and where distributions are.
  std::vector<char> needed(model_.variables.size() * 4, 0);
  for (const dae::Delay& d : s_.delays)
    if (d.varying != VariableId::none) needed[dae::index(dae::quantity(d.varying))] = 1;
  for (const dae::SpatialDistribution& t : s_.spatial_distributions)
    if (t.events) needed[dae::index(dae::quantity(t.x))] = 1;
  const std::vector<char> take = needed_blocks(std::move(needed), [&](auto&& need) {
    for (const auto* guards : {&relation_guards, &function_guards})
      for (const Expr guard : *guards)
        if (guard != Expr::none) need(guard);
    for (const dae::Relation& r : s_.relations)
      if (!r.time_event) need(r.relation);
    for (const dae::EventFunction& f : s_.event_functions) need(f.argument);
  });
  const auto section = [&](bool alone) {
    const Entry entry = begin_section();
    emit_taken(take, alone);
    for (std::size_t i = 0; i < s_.relations.size(); ++i) {
      const dae::Relation& r = s_.relations[i];
      if (r.time_event) continue;
      emit_guarded(relation_guards[i], [&] {
        const Slot left = emit_side(x_.child(r.relation, 0)), right = emit_side(x_.child(r.relation, 1));
        instruction(Opcode::relation, slot_of(r.variable), left, right, static_cast<Index>(i), p_.relations[i].origin);
      });
    }
    for (std::size_t i = 0; i < s_.event_functions.size(); ++i) {
      const dae::EventFunction& f = s_.event_functions[i];
      emit_guarded(function_guards[i], [&] {
        const Slot argument = emit(f.argument);
        instruction(Opcode::event_function, slot_of(f.variable), argument, 0, static_cast<Index>(i), p_.event_functions[i].origin);
      });
    }
    end_section(Runs::between_events);
    return entry;
  };
  p_.crossings = section(false);
  if (leaves_most_out(take, false)) p_.crossings_alone = section(true);
}

void Lowering::state_sets_alone() {
  if (s_.state_sets.empty()) return;
  std::vector<char> needed(model_.variables.size() * 4, 0);
  for (const dae::StateSet& set : s_.state_sets)
    for (const VariableId v : set.coefficients)
      if (v != VariableId::none) needed[dae::index(dae::quantity(v))] = 1;
  const std::vector<char> take = needed_blocks(std::move(needed), [](auto&&) {});
  if (!leaves_most_out(take, true)) return;
  p_.state_sets_alone = begin_section();
  emit_taken(take, true);
  end_section(Runs::between_events);
}

/// Whether sections for which only these blocks are evaluated save most of the derivatives. Iterations always go on from the point that
/// the motion has reached, what looks back has more to tell than its value, and derivatives tell of their quiet relations (E11).
/// with_outputs: otherwise the section `outputs` would be evaluated, too, and tell what has no value there (E12).
bool Lowering::leaves_most_out(const std::vector<char>& taken, bool with_outputs) {
  if (!s_.delays.empty() || !s_.spatial_distributions.empty() || !quiet_order_.empty()) return false;
  constexpr std::size_t together = 10;   // an equation that is solved with others costs as much as so many that are not
  std::size_t all = 0, part = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const dae::Block& block = s_.continuous().blocks[i];
    if (!s_.for_derivatives[i] && !with_outputs) continue;
    if (!taken[i] && !block.unknowns().empty() && !block.linear()) return false;
    if (!s_.for_derivatives[i]) {
      if (taken[i]) continue;
      for (const dae::Solved& solved : block.assignments())
        if (may_come_to_fault(solved.value)) return false;
      for (const dae::Residual& r : block.residuals())
        if (may_come_to_fault(r.left) || may_come_to_fault(r.right)) return false;
      continue;
    }
    const std::size_t cost = block.unknowns().empty() ? block.assignments().size() : together * (block.assignments().size() + block.residuals().size());
    all += cost;
    if (taken[i]) part += cost;
  }
  return 2 * part <= all;
}

void Lowering::quiet_relations() {
  if (quiet_order_.empty()) return;
  std::vector<char> late(model_.variables.size() * 4, 0);   // no derivative depends on these
  for (std::size_t i = 0; i < s_.continuous().blocks.size(); ++i) {
    if (s_.for_derivatives[i]) continue;
    for (const dae::Solved& solved : s_.continuous().blocks[i].assignments()) late[dae::index(solved.unknown)] = 1;
    for (dae::Quantity q : s_.continuous().blocks[i].unknowns()) late[dae::index(q)] = 1;
  }
  p_.quiet = begin_section();
  for (Expr e : quiet_order_) {
    bool early = true;
    walker_.each(e, [&](Expr n) {
      const dae::Quantity q = dae::quantity_of(x_, n);
      early = early && (q == dae::Quantity::none || !late[dae::index(q)]);
      return early;
    });
    if (early) emit(e);
  }
  end_section();
}

/// Their numbers begin with `first`.
void Lowering::assertions_alone(Index first) {
  for (const flat::Assertion& assertion : s_.assertions)
    if (has_counting_call(model_, assertion.condition)) return;
  const std::vector<char> take = needed_blocks(std::vector<char>(model_.variables.size() * 4, 0), [&](auto&& need) {
    for (const flat::Assertion& assertion : s_.assertions) need(assertion.condition);
  });
  if (!leaves_most_out(take, true)) return;
  p_.assertions_alone = begin_section();
  emit_taken(take, true);
  for (const flat::Assertion& assertion : s_.assertions) {
    const Slot condition = emit(assertion.condition);
    if (!x_.is_returned(assertion.condition)) instruction(Opcode::check, 0, condition, 0, first, p_.assertions_table[first].origin), ++first;
  }
  end_section();
}

void Lowering::assertions() {
  if (!s_.assertions.empty()) {
    const auto first = static_cast<Index>(p_.assertions_table.size());
    p_.assertions = begin_section();
    for (const flat::Assertion& assertion : s_.assertions) emit_check(assertion);
    end_section();
    assertions_alone(first);
  }
  // Messages are computed when they are wanted.
  const std::vector<Message> messages = std::move(messages_);
  for (const Message& m : messages) {
    runtime::Text t = text(m.text);
    (m.termination ? p_.terminations[m.number].message : p_.assertions_table[m.number].message) = std::move(t);
  }
}

Layout Lowering::layout() const { return {value_, derivative_, pre_}; }

runtime::Program lower(dae::System& system, const parser::Sources& sources, Layout* layout, std::size_t kernels_from, bool stays) {
  runtime::Program program;
  on_large_stack([&] {
    Lowering lowering(system, sources, kernels_from);
    program = lowering.run(stays);
    if (layout) *layout = lowering.layout();
  });
  return program;
}

}  // namespace mosim::compiler
