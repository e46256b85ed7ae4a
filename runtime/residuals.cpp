#include "runtime/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/block_system.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {

std::vector<Slot> find_inputs(const Program& program, Entry code, std::vector<Slot> unknowns) {
  std::vector<Slot> inputs = std::move(unknowns);
  std::unordered_set<Slot> written;   // whatever way was taken through the code
  Entry together = code;              // up to here it may be jumped over
  each_instruction(program, code, [&](const Instruction& i, Entry at) {
    each_read(program, i, [&](Slot slot) {
      if (!written.contains(slot)) inputs.push_back(slot);
    });
    if (facts(i.op).jumps) together = std::max(together, i.a);
    if (at >= together && facts(i.op).writes) written.insert(i.a);
  });
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

// The block of the same equations with nothing torn out.
Index judge_of(const Machine& m, Index index) {
  const Index untorn = m.program->blocks[index].untorn;
  return untorn != none ? untorn : index;
}

// Sizes of what the code of a block reads: those of memory, or 0; an unknown's is its nominal value at least.
void set_sizes(Machine& m, Index index, bool of_memory) {
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  if (state.inputs.empty()) state.inputs = find_inputs(*m.program, block.code, block.unknowns);
  if (m.sizes.empty()) m.sizes.resize(m.memory.size());
  for (const Slot slot : state.inputs)
    if (slot < m.memory.size()) m.sizes[slot] = of_memory ? std::abs(m.memory[slot]) : 0;
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
    double& size = m.sizes[block.unknowns[k]];
    size = std::max(size, k < block.nominal.size() ? block.nominal[k] : 1.0);
  }
}

}  // namespace

Misfit find_misfit(Machine& m, Index index) {
  ++m.block_costs.misfits;
  index = judge_of(m, index);
  const Block& block = m.program->blocks[index];
  set_sizes(m, index, true);
  Misfit worst;
  if (!run_sizes(m, block.code, m.sizes.data()).ok()) return {std::numeric_limits<double>::infinity(), 0, 0, 0};
  for (std::size_t row = 0; row < block.residuals.size(); ++row) {
    const double residual = m.memory[block.residuals[row]], size = m.sizes[block.residuals[row]];
    const double part = residual == 0 ? 0 : std::abs(residual) / size;
    if (!(part <= worst.part)) worst = {std::isnan(part) ? std::numeric_limits<double>::infinity() : part, row, residual, size};
  }
  return worst;
}

namespace {

constexpr int after_a_miss = 16;   // solutions that are not looked at like this

// What each residual is a sum of, with either sign, down to what is neither a sum nor a copy; empty if not all of that stands when the code has run.
std::vector<std::vector<Slot>> find_summands(const Program& program, const Block& block) {
  constexpr std::size_t most = 64;   // of one residual
  std::unordered_map<Slot, Instruction> writer;
  std::unordered_set<Slot> read, lost;   // lost: written more than once, or after it was read, or by more than an instruction
  const bool straight = each_instruction(program, block.code, [&](const Instruction& i) {
    each_read(program, i, [&](Slot slot) { read.insert(slot); });
    each_written(program, i, [&](Slot slot) {
      if (!writer.emplace(slot, i).second || !facts(i.op).writes || read.contains(slot)) lost.insert(slot);
    });
    return !facts(i.op).jumps && i.op != Opcode::solve && i.op != Opcode::settle;
  });
  if (!straight) return {};
  std::vector<std::vector<Slot>> result;
  for (const Slot residual : block.residuals) {
    std::vector<Slot> sum, open{residual};
    while (!open.empty()) {
      const Slot slot = open.back();
      open.pop_back();
      if (lost.contains(slot)) return {};
      const auto w = writer.find(slot);
      const Opcode op = w == writer.end() || sum.size() + open.size() > most ? Opcode::end : w->second.op;
      if (op == Opcode::move || op == Opcode::negate || op == Opcode::add || op == Opcode::subtract) open.push_back(w->second.b);
      else sum.push_back(slot);
      if (op == Opcode::add || op == Opcode::subtract) open.push_back(w->second.c);
    }
    result.push_back(std::move(sum));
  }
  return result;
}

}  // namespace

bool fits_plainly(Machine& m, Index solved, Index index, double part) {
  const Index judge = judge_of(m, index);
  const Block& block = m.program->blocks[judge];
  BlockState& state = state_of(m, judge);
  if (!state.summands) state.summands = find_summands(*m.program, block);
  if (state.plain_pause > 0 && --state.plain_pause > 0) return false;
  state.plain_pause = after_a_miss;
  if (state.summands->empty()) return false;
  ++m.block_costs.sums;
  if (solved != judge && !run(m, block.code, Mode::frozen).ok()) return false;
  for (std::size_t row = 0; row < state.summands->size(); ++row) {
    double size = 0;
    for (const Slot slot : (*state.summands)[row]) size += std::abs(m.memory[slot]);
    if (!std::isfinite(size) || !(std::abs(m.memory[block.residuals[row]]) <= part * size)) return false;
  }
  state.plain_pause = 0;
  return true;
}

std::vector<double> least_sizes(Machine& m, Index index) {
  const std::size_t n = m.program->blocks[index].residuals.size();
  index = judge_of(m, index);
  const Block& block = m.program->blocks[index];
  set_sizes(m, index, false);
  std::vector<double> sizes(n, 0.0);
  // Not how large the terms are now: these are those of one solution.
  const bool before = std::exchange(m.operands_alone, true);
  const Outcome outcome = run_sizes(m, block.code, m.sizes.data());
  m.operands_alone = before;
  if (!outcome.ok()) return sizes;
  for (std::size_t row = 0; row < n; ++row) sizes[row] = m.sizes[block.residuals[row]];   // those of what is torn out come after these
  return sizes;
}

}  // namespace mosim::runtime
