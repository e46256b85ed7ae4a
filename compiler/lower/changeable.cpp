// Values that a run may be started with in place of the model's own: of parameters, and start values.

#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

namespace {

enum class Relied : std::uint8_t { nothing, size, value };

/// What the compiler has relied on, by variable, with what that was computed from.
class Reliances {
public:
  explicit Reliances(const flat::Model& model) : model_(model), walker_(model.expressions), relied_(model.variables.size(), Relied::nothing) {
    for (const VariableId v : model.reliance.values) mark(v, Relied::value);
    for (const Expr e : model.reliance.sizes)
      if (is_product(model.expressions, e)) each(e, Relied::size);
    while (!open_.empty()) {
      const VariableId v = open_.back();
      open_.pop_back();
      const flat::Variable& variable = model.variable(v);
      const Expr definition = variable.binding != Expr::none ? variable.binding : variable.start;
      if (definition == Expr::none) continue;
      const bool by_size = relied_[index(v)] == Relied::size && is_product(model.expressions, definition);
      each(definition, by_size ? Relied::size : Relied::value);
    }
  }
  Relied operator[](VariableId v) const { return relied_[index(v)]; }

private:
  void mark(VariableId v, Relied how) {
    if (relied_[index(v)] >= how) return;
    relied_[index(v)] = how;
    open_.push_back(v);
  }
  void each(Expr e, Relied how) {
    walker_.each(e, [&](Expr n) {
      if (model_.expressions.op(n) == Op::variable) mark(model_.expressions.variable(n), how);
      return true;
    });
  }

  const flat::Model& model_;
  Walker walker_;
  std::vector<Relied> relied_;
  std::vector<VariableId> open_;
};

}  // namespace

bool Lowering::may_change(VariableId v) const {
  const flat::Variable& variable = model_.variable(v);
  return index(v) < s_.user_variables && !variable.is_final && variable.type != BaseType::string && variable.object == ObjectClassId::none &&
         variable_number_[index(v)] != runtime::none && !model_.reliance.values.contains(v);
}

/// An expression, unless the run is started with another value. That one is to go to the slot returned, and 1 into the next.
runtime::Slot Lowering::given_or_own(Expr own, Slot slot) {
  // Not at once into its slot: others with the same expression have its value, and not what comes from outside.
  instruction(Opcode::move, slot, emit(own));
  const Slot value = new_slots(2);
  const Entry skip = jump(Opcode::jump_if_zero, value + 1);
  instruction(Opcode::move, slot, value);
  land(skip);
  return value;
}

void Lowering::changeable(VariableId v, Expr own, Slot slot) {
  if (own == Expr::none || slot == runtime::none || !may_change(v)) return given(own, slot);
  if (x_.is_literal_leaf(own)) {
    given(own, slot);
    changeable_.push_back({variable_number_[index(v)], runtime::none, runtime::none, false, 0});
  } else {
    if (!known_before_run(own)) return;
    changeable_.push_back({variable_number_[index(v)], given_or_own(own, slot), runtime::none, false, 0});
  }
  changeable_of_.push_back(v);
}

void Lowering::changeable_start(VariableId v, Expr own) {
  const Slot slot = value_[index(v)];
  const dae::VariableKind kind = s_.fact(v).kind;
  // A tick, or what finds the parameters, gives the others their first values.
  const bool can_be = kind == dae::VariableKind::state || kind == dae::VariableKind::algebraic || kind == dae::VariableKind::discrete || kind == dae::VariableKind::input;
  if (!can_be || slot == runtime::none || !may_change(v) || !known_before_run(own)) return given(own, slot);
  const Slot start = new_slot();
  start_slot_[index(v)] = {start, kind == dae::VariableKind::input};
  if (x_.is_literal_leaf(own)) {
    given(own, slot);
    given(own, start);
    changeable_.push_back({variable_number_[index(v)], runtime::none, start, false, 0});
  } else {
    const Slot given = given_or_own(own, start);
    instruction(Opcode::move, slot, start);
    changeable_.push_back({variable_number_[index(v)], given, runtime::none, false, 0});
  }
  changeable_of_.push_back(v);
}

/// Once all of the compiler has asked what it wants to know.
void Lowering::list_changeable() {
  const Reliances relied(model_);
  p_.changeable.reserve(changeable_.size());
  for (std::size_t k = 0; k < changeable_.size(); ++k) {
    const VariableId v = changeable_of_[k];
    // As --set has it: what another equation gives has no start value to be set.
    if (const StartSlot& start = start_slot_[index(v)]; start.slot != runtime::none && !start.counts) continue;
    runtime::Changeable c = changeable_[k];
    c.by_size = relied[v] == Relied::size;
    if (c.by_size) {
      const dae::VariableFacts& facts = s_.fact(v);
      if (!facts.has_value || !x_.is_number(facts.value) || x_.number(facts.value) == 0) continue;
      c.value = x_.number(facts.value);
    }
    if (relied[v] != Relied::value) p_.changeable.push_back(c);
  }
}

}  // namespace mosim::compiler
