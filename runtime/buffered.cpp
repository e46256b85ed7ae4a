#include "runtime/buffered.hpp"

#include "runtime/hysteresis.hpp"

namespace mosim::runtime {

bool store_relation(Machine& m, Index relation, double left, double right, Mode mode) {
  RelationState& state = m.relations[relation];
  const double difference = left - right;
  m.relation_differences[relation] = difference;
  const bool literal = mode == Mode::literal || has_moved(state, left, right);   // E4: hysteresis is for no jump
  state.left = left;
  state.right = right;
  const Comparison comparison = m.program->relations[relation].comparison;
  bool hysteresis = false;
  const bool flipped = literal ? set_literal(comparison, state, difference)
                               : set_live(comparison, state, difference, hysteresis);
  if (flipped) {
    ++m.changes;
    m.flips.push_back({relation, state.value, hysteresis});
  }
  return state.value;
}

double look_at_relation(Machine& m, const Instruction& i, Mode mode) {
  RelationState& state = m.relations[i.d];
  if (mode != Mode::measure) return store_relation(m, i.d, m.memory[i.b], m.memory[i.c], mode);
  state.left = m.memory[i.b];
  state.right = m.memory[i.c];
  m.relation_differences[i.d] = state.left - state.right;
  return state.value;
}

double quiet_relation(Machine& m, const Instruction& i, Mode mode) {
  const bool sign = i.op == Opcode::quiet_sign;
  const double difference = m.memory[i.b] - m.memory[i.c];
  m.relation_differences[i.d] = difference;   // in every mode: none but the derivatives reach it
  if (m.relations[i.d].watched) return sign ? 2 * buffered_relation(m, i, mode) - 1 : buffered_relation(m, i, mode);
  if (sign) return difference > 0 ? 1 : difference < 0 ? -1 : 0;
  return as_written(m.program->relations[i.d].comparison, difference);
}

double store_time_relation(Machine& m, const Instruction& i, Mode mode) {
  const Relation& relation = m.program->relations[i.d];
  RelationState& state = m.relations[i.d];
  const double time = m.memory[slot_time], instant = m.memory[i.b];
  bool value = relation.rising ? time >= instant : time < instant;
  if (mode == Mode::literal && time == instant) {
    const bool strict = relation.comparison == Comparison::less || relation.comparison == Comparison::greater;
    value = !strict;
  }
  if (value != state.value) {
    state.value = value;
    ++m.changes;
    m.flips.push_back({i.d, value, false});
  }
  return value;
}

double store_event_function(Machine& m, const Instruction& i, double argument, Mode mode) {
  EventFunctionState& state = m.event_functions[i.d];
  const Rounding rounding = m.program->event_functions[i.d].rounding;
  const bool literal = mode == Mode::literal || has_moved(state, argument);
  state.argument = argument;
  const bool changed = literal ? set_literal(rounding, state, argument) : set_live(rounding, state, argument);
  if (changed) {
    ++m.changes;
    m.event_function_changes.push_back(i.d);
  }
  return state.value;
}

}  // namespace mosim::runtime
