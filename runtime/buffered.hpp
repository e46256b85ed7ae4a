#pragma once
// Relations and event functions in code: what they are worth, and what they leave in the machine, in each mode (SEMANTICS E1 to E4).

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// A buffered relation in Mode::literal or live, with these sides. Returns its value.
bool store_relation(Machine& machine, Index relation, double left, double right, Mode mode);

/// In any mode but frozen.
double look_at_relation(Machine& machine, const Instruction& instruction, Mode mode);
/// Opcode::relation.
inline double buffered_relation(Machine& machine, const Instruction& instruction, Mode mode) {
  return mode == Mode::frozen ? machine.relations[instruction.d].value : look_at_relation(machine, instruction, mode);
}

/// Opcode::quiet_relation and quiet_sign: buffered once they are watched (E11).
double quiet_relation(Machine& machine, const Instruction& instruction, Mode mode);
/// Opcode::time_relation, in Mode::literal or live (E3).
double store_time_relation(Machine& machine, const Instruction& instruction, Mode mode);
/// Opcode::event_function, in Mode::literal or live.
double store_event_function(Machine& machine, const Instruction& instruction, double argument, Mode mode);

}  // namespace mosim::runtime
