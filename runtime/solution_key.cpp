#include "runtime/solution_key.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

bool is_foreign(const Program& program, Index function, std::vector<bool>& seen) {
  if (seen[function]) return false;
  seen[function] = true;
  for (Entry at = program.functions[function].entry; program.code[at].op != Opcode::return_; ++at) {
    if (program.code[at].op == Opcode::external) return true;
    if (program.code[at].op == Opcode::call && is_foreign(program, program.code[at].d, seen)) return true;
  }
  return false;
}

namespace {

// `seen`: see is_foreign(); sized where there are externals.
bool add_code(const Program& program, const Block& block, SolutionKey& key, std::vector<bool>& seen) {
  const bool all = each_instruction(program, block.code, [&](const Instruction& i) {
    switch (i.op) {
      case Opcode::relation: case Opcode::time_relation: key.relations.push_back(i.d); break;
      case Opcode::event_function: key.event_functions.push_back(i.d); break;
      case Opcode::quiet_relation: case Opcode::quiet_sign: key.quiet.push_back(i.d); break;
      case Opcode::delay: case Opcode::spatial_distribution: case Opcode::solve:
      case Opcode::settle: case Opcode::external: case Opcode::text: case Opcode::check: case Opcode::create: case Opcode::assign_array:
        return false;
      case Opcode::call:
        if (!program.externals.empty() && is_foreign(program, i.d, seen)) return false;
        break;
      default: break;
    }
    const auto add = [&](Slot slot) {
      if (slot < block.first_own || slot >= block.last_own) key.slots.push_back(slot);
    };
    each_read(program, i, add);
    each_written(program, i, add);
    return true;
  });
  if (!all) return false;
  key.slots.insert(key.slots.end(), block.unknowns.begin(), block.unknowns.end());
  return true;
}

template <class T>
void tidy(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

SolutionKey make_key(const Program& program, Index index) {
  SolutionKey key;
  key.is_made = true;
  const Block& block = program.blocks[index];
  std::vector<bool> seen(program.externals.empty() ? 0 : program.functions.size());
  key.is_known = add_code(program, block, key, seen) && (block.untorn == none || add_code(program, program.blocks[block.untorn], key, seen));
  tidy(key.slots);
  tidy(key.relations);
  tidy(key.event_functions);
  tidy(key.quiet);
  return key;
}

/// visit(value) for each; until it says false.
template <class Visit>
bool each_value(const Machine& m, const SolutionKey& key, Visit visit) {
  for (const Slot slot : key.slots)
    if (!visit(m.memory[slot])) return false;
  for (const Index k : key.relations)
    if (!visit(double(m.relations[k].value))) return false;
  for (const Index k : key.event_functions)
    if (!visit(m.event_functions[k].value)) return false;
  for (const Index k : key.quiet)
    if (!visit(!m.relations[k].watched ? -1.0 : double(m.relations[k].value))) return false;
  return true;
}

}  // namespace

bool is_solved(Machine& m, Index index) {
  SolutionKey& key = m.blocks[index].solved;
  if (!key.is_made) key = make_key(*m.program, index);
  auto value = key.values.begin();
  const auto same = [&](double now) { return std::bit_cast<std::uint64_t>(now) == std::bit_cast<std::uint64_t>(*value++); };   // 1/x tells 0 from -0
  const bool solved = key.stands && each_value(m, key, same);
  for (std::size_t k = 0; k < key.quiet.size(); ++k)
    m.relation_differences[key.quiet[k]] = solved ? key.differences[k] : std::numeric_limits<double>::quiet_NaN();   // it may not be reached
  return solved;
}

void note_solved(Machine& m, Index index) {
  SolutionKey& key = m.blocks[index].solved;
  if (!key.is_made) key = make_key(*m.program, index);   // the state was made in between
  if (!key.is_known) return;
  key.values.resize(key.slots.size() + key.relations.size() + key.event_functions.size() + key.quiet.size());
  auto value = key.values.begin();
  (void)each_value(m, key, [&](double now) { return *value++ = now, true; });
  key.differences.clear();
  for (const Index k : key.quiet) key.differences.push_back(m.relation_differences[k]);
  key.stands = true;
}

}  // namespace mosim::runtime
