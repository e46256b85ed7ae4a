#include "runtime/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/opcode.hpp"
#include "runtime/block_system.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {

std::vector<Slot> find_inputs(const Program& program, Entry code, std::vector<Slot> unknowns) {
  std::vector<Slot> inputs = std::move(unknowns);
  for (Entry at = code; program.code[at].op != Opcode::end; ++at)
    each_read(program, program.code[at], [&](Slot slot) { inputs.push_back(slot); });
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

}  // namespace

Misfit find_misfit(Machine& m, Index index) {
  if (m.program->blocks[index].untorn != none) index = m.program->blocks[index].untorn;
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  if (state.inputs.empty()) state.inputs = find_inputs(*m.program, block.code, block.unknowns);
  if (m.sizes.empty()) m.sizes.resize(m.memory.size());
  // Slots that the code writes before it reads them are among these; what stands there does not matter.
  for (const Slot slot : state.inputs)
    if (slot < m.memory.size()) m.sizes[slot] = std::abs(m.memory[slot]);
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
    double& size = m.sizes[block.unknowns[k]];
    size = std::max(size, k < block.nominal.size() ? block.nominal[k] : 1.0);
  }
  Misfit worst;
  if (!run_sizes(m, block.code, m.sizes.data()).ok()) return {std::numeric_limits<double>::infinity(), 0, 0, 0};
  for (std::size_t row = 0; row < block.residuals.size(); ++row) {
    const double residual = m.memory[block.residuals[row]], size = m.sizes[block.residuals[row]];
    const double part = residual == 0 ? 0 : std::abs(residual) / size;
    if (!(part <= worst.part)) worst = {std::isnan(part) ? std::numeric_limits<double>::infinity() : part, row, residual, size};
  }
  return worst;
}

}  // namespace mosim::runtime
