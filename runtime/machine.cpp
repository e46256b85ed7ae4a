#include "runtime/machine.hpp"

#include <limits>


namespace mosim::runtime {

Machine make_machine(const Program& program) {
  Machine m;
  m.program = &program;
  m.memory = program.memory;
  m.memory.resize(std::max<std::size_t>(m.memory.size(), first_free_slot));
  m.memory[slot_lambda] = 1;
  m.memory[slot_zero] = 0;
  m.memory[slot_one] = 1;
  m.relations.resize(program.relations.size());
  m.event_functions.resize(program.event_functions.size());
  m.delays.resize(program.delays.size());
  m.profiles.resize(program.transports.size());
  m.relation_differences.assign(program.relations.size(), std::numeric_limits<double>::quiet_NaN());
  m.event_function_arguments.assign(program.event_functions.size(), std::numeric_limits<double>::quiet_NaN());
  m.reinit_values.assign(program.reinits.size(), 0.0);
  m.reinit_times.assign(program.reinits.size(), std::numeric_limits<double>::quiet_NaN());
  m.turn_times = m.reinit_times;
  m.strings = program.strings;
  if (m.strings.empty()) m.strings.emplace_back();
  for (std::size_t k = 0; k < m.strings.size(); ++k) m.string_numbers.emplace(m.strings[k], double(k));
  m.blocks.resize(program.blocks.size());
  return m;
}

}  // namespace mosim::runtime
