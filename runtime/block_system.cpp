#include "runtime/block_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

namespace {

unsigned width_for(std::size_t directions) { return directions <= 1 ? 1 : directions <= 4 ? 4 : max_width; }

}  // namespace

std::string values_of(const Machine& m, const Block& block) {
  std::string text;
  const std::size_t shown = std::min<std::size_t>(block.unknowns.size(), 8);
  for (std::size_t k = 0; k < shown; ++k)
    text += fmt::format("{}{} = {:.9g}", k == 0 ? "" : ", ", k < block.names.size() ? block.names[k] : "?",
                        m.memory[block.unknowns[k]]);
  if (shown < block.unknowns.size()) text += fmt::format(" and {} more", block.unknowns.size() - shown);
  return text;
}

Outcome fail(Machine& m, Index index, Fault fault, Entry at, std::string detail) {
  m.failed_block = index;
  m.block_detail = std::move(detail);
  return {fault, at};
}

void load(Machine& m, const Block& block, const double* unknowns) {
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) m.memory[block.unknowns[k]] = unknowns[k];
}

void save(const Machine& m, const Block& block, double* unknowns) {
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) unknowns[k] = m.memory[block.unknowns[k]];
}

std::size_t factorise_jacobian(Machine& m, Index index) {
  BlockState& state = m.blocks[index];
  const std::size_t n = state.unknowns.size();
  ++m.block_costs.factorisations;
  std::size_t column = n;
  if (!state.sparse) {
    column = factorise(state.jacobian);
    m.work += double(n) * double(n) * double(n) / 6;   // operations in a row are quicker than instructions
  } else {
    const Factorised how = factorise(*state.sparse);
    m.block_costs.pivotings += how != Factorised::with_known_pivots;
    if (how == Factorised::singular) column = 0;
    else m.work += factorisation_cost(*state.sparse) / 2;
  }
  state.has_factors = column == n;
  state.checked = 0;
  state.least_sizes.clear();
  if (state.has_factors && state.coefficients) {
    state.factorised_for.clear();
    for (const Slot slot : state.coefficients->slots) state.factorised_for.push_back(m.memory[slot]);
  }
  return column;
}

bool factors_stand(const Machine& m, Index index) {
  const BlockState& state = m.blocks[index];
  if (!state.has_factors || !state.coefficients) return false;
  const std::vector<Slot>& slots = state.coefficients->slots;
  return std::equal(slots.begin(), slots.end(), state.factorised_for.begin(), [&](Slot slot, double value) { return m.memory[slot] == value; });
}

void solve_jacobian(BlockState& state, double* right_side) {
  if (state.sparse) {
    solve(*state.sparse, right_side);
  } else {
    solve(state.jacobian, right_side);
  }
}

double scaled_size(const std::vector<double>& step, const std::vector<double>& scale) {
  double size = 0;
  for (std::size_t k = 0; k < step.size(); ++k) {
    const double part = std::abs(step[k]) / scale[k];
    if (!(part <= size)) size = part;  // NaN must not get lost
  }
  return size;
}

void set_scale(BlockState& state, const Block& block) {
  for (std::size_t k = 0; k < state.unknowns.size(); ++k)
    state.scale[k] = std::max(std::abs(state.unknowns[k]), k < block.nominal.size() ? block.nominal[k] : 1.0);
}

Outcome singular(Machine& m, Index index, Entry at, std::size_t column) {
  const Block& block = m.program->blocks[index];
  const bool known = !m.blocks[index].sparse && column < block.names.size();
  return fail(m, index, Fault::block_singular, at,
              known ? fmt::format("at {} nothing determines {}", values_of(m, block), block.names[column])
                    : fmt::format("the unknowns are {}", values_of(m, block)));
}

namespace {

/// The variables of functions are not among them: a call writes each before it reads it.
void add_written(const Program& program, Entry code, std::vector<Slot>& written) {
  each_instruction(program, code, [&](const Instruction& i) {
    each_written(program, i, [&](Slot slot) { written.push_back(slot); });
    if (i.op != Opcode::solve) return;
    // What an inner block writes is written in here too.
    const Block& inner = program.blocks[i.d];
    written.insert(written.end(), inner.unknowns.begin(), inner.unknowns.end());
    add_written(program, inner.code, written);
  });
}

std::vector<Sweep> make_sweeps(const Block& block, const SparseSystem& system) {
  const Colouring& colouring = system.colouring;
  const Pattern& pattern = system.pattern;
  const std::size_t width = width_for(colouring.colours);
  std::vector<Sweep> sweeps((colouring.colours + width - 1) / width);
  for (std::size_t k = 0; k < pattern.n; ++k) {
    Sweep& sweep = sweeps[colouring.colour[k] / width];
    const std::size_t lane = colouring.colour[k] % width;
    sweep.seeds.push_back(block.unknowns[k] * width + lane);
    for (auto entry = std::size_t(pattern.starts[k]); entry < std::size_t(pattern.starts[k + 1]); ++entry) {
      sweep.results.push_back(block.residuals[std::size_t(pattern.rows[entry])] * width + lane);
      sweep.entries.push_back(entry);
    }
  }
  return sweeps;
}

BlockState make_block_state(const Program& program, const Block& block) {
  BlockState state;
  state.is_made = true;
  const std::size_t n = block.unknowns.size();
  state.unknowns.resize(n);
  state.step.resize(n);
  state.residual.resize(n);
  state.trial.resize(n);
  state.guess.resize(n);
  state.scale.assign(n, 1.0);
  state.written = block.unknowns;
  add_written(program, block.body, state.written);
  std::erase_if(state.written, [&](Slot slot) { return block.first_own <= slot && slot < block.last_own; });
  std::sort(state.written.begin(), state.written.end());
  state.written.erase(std::unique(state.written.begin(), state.written.end()), state.written.end());
  if (block.linear) state.coefficients = find_coefficients(program, block);
  if (n > largest_dense) {
    Pattern pattern = dependences(program, block.code, block.unknowns, block.residuals);
    if (is_sparse(pattern)) {
      state.sparse = std::make_unique<SparseSystem>(std::move(pattern));
      state.sparse->colouring = colour(state.sparse->pattern);
      state.sweeps = make_sweeps(block, *state.sparse);
    }
  }
  if (!state.sparse) state.jacobian = make_dense(n);
  return state;
}

}  // namespace

BlockState& make_state(Machine& m, Index index) {
  BlockState& state = m.blocks[index];
  const bool prefers_untorn = state.prefers_untorn;
  std::vector<Slot> inputs = std::move(state.inputs);
  state = make_block_state(*m.program, m.program->blocks[index]);
  state.prefers_untorn = prefers_untorn;
  state.inputs = std::move(inputs);
  return state;
}

void forget_invariants(Machine& m, Index index) {
  const Block& block = m.program->blocks[index];
  state_of(m, index).has_invariants = block.code == block.body;
}

Outcome evaluate_residual(Machine& m, Index index, const double* unknowns, double* residual) {
  const Block& block = m.program->blocks[index];
  load(m, block, unknowns);
  bool& has_invariants = state_of(m, index).has_invariants;
  const Outcome outcome = run(m, has_invariants ? block.body : block.code, Mode::frozen);
  has_invariants = has_invariants || outcome.ok();
  for (std::size_t k = 0; k < block.residuals.size(); ++k) residual[k] = m.memory[block.residuals[k]];
  return outcome;
}

namespace {

Outcome evaluate_invariants(Machine& m, Index index) {
  BlockState& state = state_of(m, index);
  if (state.has_invariants) return {};
  m.invariants_alone = true;
  const Outcome outcome = run(m, m.program->blocks[index].code, Mode::frozen);
  m.invariants_alone = false;
  state.has_invariants = outcome.ok();
  return outcome;
}

}  // namespace

Outcome evaluate_and_factorise(Machine& m, Index index, std::size_t& column) {
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  column = block.unknowns.size();
  Outcome outcome = evaluate_invariants(m, index);
  if (!outcome.ok()) return outcome;
  if (state.has_factors && state.coefficients && (state.coefficients->in_body || factors_stand(m, index))) {
    outcome = run(m, block.body, Mode::frozen);
    for (std::size_t k = 0; k < block.residuals.size(); ++k) state.residual[k] = m.memory[block.residuals[k]];
    if (!outcome.ok() || factors_stand(m, index)) return outcome;
  }
  outcome = evaluate_jacobian(m, index);
  if (outcome.ok()) column = factorise_jacobian(m, index);
  return outcome;
}

namespace {

// A known width makes these a store or two each.
template <unsigned W>
void clear(double* tangent, const std::vector<Slot>& slots) {
  for (const Slot slot : slots)
    for (unsigned k = 0; k < W; ++k) tangent[std::size_t(slot) * W + k] = 0;
}
void clear(double* tangent, const std::vector<Slot>& slots, unsigned width) {
  if (width == 1) clear<1>(tangent, slots);
  else if (width == 4) clear<4>(tangent, slots);
  else clear<max_width>(tangent, slots);
}

}  // namespace

Outcome evaluate_jacobian(Machine& m, Index index) {
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  const std::size_t n = block.unknowns.size();
  const std::size_t directions = state.sparse ? state.sparse->colouring.colours : n;
  const unsigned width = width_for(directions);
  if (const Outcome outcome = evaluate_invariants(m, index); !outcome.ok()) return outcome;
  ++m.block_costs.jacobians;
  state.has_factors = false;
  const unsigned depth = m.depth++;
  if (m.inner_tangents.size() <= depth) m.inner_tangents.resize(depth + 1);
  // For each width its own: what calls leave in the variables of functions is theirs only in that layout.
  std::vector<double>& tangents = m.inner_tangents[depth][width == 1 ? 0 : width == 4 ? 1 : 2];
  if (tangents.empty()) tangents.assign(m.memory.size() * width, 0.0);
  double* const tangent = tangents.data();

  Outcome outcome;
  for (std::size_t first = 0; first < directions && outcome.ok(); first += width) {
    clear(tangent, block.unknowns, width);
    if (state.sparse) {
      const Sweep& sweep = state.sweeps[first / width];
      for (const std::size_t seed : sweep.seeds) tangent[seed] = 1;
      outcome = run_dual(m, block.body, width, tangent);
      for (std::size_t k = 0; k < sweep.entries.size(); ++k) state.sparse->values[sweep.entries[k]] = tangent[sweep.results[k]];
      continue;
    }
    const std::size_t last = std::min(n, first + width);
    for (std::size_t k = first; k < last; ++k) tangent[std::size_t(block.unknowns[k]) * width + k - first] = 1;
    outcome = run_dual(m, block.body, width, tangent);
    for (std::size_t row = 0; row < n; ++row) {
      const double* const of_row = tangent + std::size_t(block.residuals[row]) * width;
      for (std::size_t k = first; k < last; ++k) state.jacobian.at(row, k) = of_row[k - first];
    }
  }
  clear(tangent, state.written, width);
  for (std::size_t k = 0; k < n; ++k) state.residual[k] = m.memory[block.residuals[k]];
  --m.depth;
  return outcome;
}

}  // namespace mosim::runtime
