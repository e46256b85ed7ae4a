#include "runtime/machine.hpp"

#include <limits>

#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

namespace {

// Which slots come out of an iteration, and relations and event functions that compare such, or stand in a block.
void find_iterated(Machine& m, Entry entry, std::vector<bool>& iterated, bool in_block) {
  const Program& program = *m.program;
  if (entry == none) return;
  each_instruction(program, entry, [&](const Instruction& i) {
    bool operands = false;
    each_read(program, i, [&](Slot slot) { operands = operands || iterated[slot]; });
    if (i.op == Opcode::relation || i.op == Opcode::quiet_relation || i.op == Opcode::quiet_sign) {
      m.relations[i.d].iterated = m.relations[i.d].iterated || operands || in_block;
    } else if (i.op == Opcode::event_function) {
      m.event_functions[i.d].iterated = m.event_functions[i.d].iterated || operands || in_block;
    } else if (i.op == Opcode::solve) {
      // What a linear block gives is a function of what goes in.
      const Block& block = program.blocks[i.d];
      bool loose = !block.linear;
      for (int pass = 0; pass < 2; ++pass) {
        for (const Slot slot : block.unknowns) iterated[slot] = iterated[slot] || loose;
        find_iterated(m, block.code, iterated, true);
        for (const Slot slot : block.residuals) loose = loose || iterated[slot];
      }
    } else if (i.op == Opcode::settle) {
      find_iterated(m, program.mixed[i.d].code, iterated, true);
    } else if (operands) {
      each_written(program, i, [&](Slot slot) { iterated[slot] = true; });
    }
  });
}

}  // namespace

namespace {

std::vector<double> sizes_of_solved(const Program& program, std::size_t slots) {
  std::vector<double> sizes(slots);
  for (const Block& block : program.blocks)
    for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
      double& size = sizes[block.unknowns[k]];
      size = std::max(size, k < block.nominal.size() ? block.nominal[k] : 1.0);
    }
  std::vector<double> found;
  found.reserve(program.pre.size());
  for (const Pre& pre : program.pre) found.push_back(pre.discrete ? sizes[pre.value] : 0);
  return found;
}

}  // namespace

Machine make_machine(const Program& program) {
  Machine m;
  m.program = &program;
  m.memory = program.memory;
  m.memory.resize(std::max<std::size_t>(m.memory.size(), first_free_slot));
  m.memory[slot_lambda] = 1;
  m.memory[slot_zero] = 0;
  m.memory[slot_one] = 1;
  m.relations.resize(program.relations.size());
  for (std::size_t k = 0; k < m.relations.size(); ++k) m.relations[k].watched = !program.relations[k].quiet;
  m.first_quiet = std::size_t(std::find_if(program.relations.begin(), program.relations.end(), [](const Relation& r) { return r.quiet; }) - program.relations.begin());
  m.event_functions.resize(program.event_functions.size());
  m.delays.resize(program.delays.size());
  m.spatial_distributions.resize(program.spatial_distributions.size());
  m.relation_differences.assign(program.relations.size(), std::numeric_limits<double>::quiet_NaN());
  m.event_function_arguments.assign(program.event_functions.size(), std::numeric_limits<double>::quiet_NaN());
  m.reinit_values.assign(program.reinits.size(), 0.0);
  m.reinit_times.assign(program.reinits.size(), std::numeric_limits<double>::quiet_NaN());
  m.turn_times = m.reinit_times;
  m.strings = program.strings;
  if (m.strings.empty()) m.strings.emplace_back();
  for (std::size_t k = 0; k < m.strings.size(); ++k) m.string_numbers.emplace(m.strings[k], double(k));
  m.externals = make_externals(program);
  m.arrays.resize(program.arrays);
  for (const Function& f : program.functions) {
    if (f.entry == none || f.last <= f.first) continue;
    m.first_frame = m.last_frame == 0 ? f.first : std::min(m.first_frame, f.first);
    m.last_frame = std::max(m.last_frame, f.last);
  }
  m.blocks.resize(program.blocks.size());
  m.solved_sizes = sizes_of_solved(program, m.memory.size());
  std::vector<bool> iterated(m.memory.size());
  find_iterated(m, program.event, iterated, false);
  return m;
}

void copy_lasting(const Machine& m, const std::vector<double>& from, std::vector<double>& to) {
  if (to.size() != from.size()) {
    to = from;
    return;
  }
  std::copy_n(from.begin(), m.first_frame, to.begin());
  std::copy(from.begin() + std::ptrdiff_t(m.last_frame), from.end(), to.begin() + std::ptrdiff_t(m.last_frame));
}

}  // namespace mosim::runtime
