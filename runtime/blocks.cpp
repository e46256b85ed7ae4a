#include "runtime/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/interpreter.hpp"
#include "runtime/kinsol.hpp"

namespace mosim::runtime {

namespace {

constexpr std::size_t largest_dense = 40;
constexpr int newton_bound = 50;
constexpr int relation_bound = 50;
constexpr double converged = 1e-10;   // of the last correction, relative to max(|unknown|, nominal)
constexpr int start_count = 7;
constexpr double attempt_distance[start_count] = {0, 0.05, 0.05, 0.3, 0.3, 2, 2};
constexpr double golden_ratio = 0.6180339887498949;
constexpr double consistent = 1e-9;   // of the largest unknown: what a singular system may leave over
constexpr double stagnated = 1e-7;    // still a solution when rounding allows no more

unsigned width_for(std::size_t directions) { return directions <= 1 ? 1 : directions <= 4 ? 4 : max_width; }

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

// The factorised Jacobian is in the block's state. Returns the unknown without a pivot, or n.
std::size_t factorise_jacobian(BlockState& state) {
  if (state.sparse) return factorise(*state.sparse) ? state.unknowns.size() : 0;
  return factorise(state.jacobian);
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

// Equations that do not contradict each other but leave an unknown open, as at a flow of 0 what it would bring along:
// that unknown keeps its value. At initialisation it has none.
bool solve_undetermined(Machine& m, Index index, const std::vector<double>& before) {
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  if (state.sparse || m.memory[slot_initial] != 0) return false;
  load(m, block, before.data());
  if (!evaluate_jacobian(m, index).ok()) return false;
  std::vector<std::size_t> columns;
  const std::size_t rank = factorise_completely(state.jacobian, columns);
  state.unknowns = before;
  set_scale(state, block);
  const double size = *std::max_element(state.scale.begin(), state.scale.end());
  for (std::size_t k = 0; k < before.size(); ++k) state.step[k] = -state.residual[k];
  if (!(solve_completely(state.jacobian, rank, columns, state.step.data()) <= consistent * size)) return false;
  for (std::size_t k = 0; k < before.size(); ++k) state.unknowns[k] += state.step[k];
  load(m, block, state.unknowns.data());
  if (!evaluate_residual(m, index, state.unknowns.data(), state.residual.data()).ok()) return false;
  const auto same = [&](const Machine::Undetermined& u) { return u.block == index; };
  if (rank < before.size() && std::none_of(m.undetermined.begin(), m.undetermined.end(), same))
    m.undetermined.push_back({index, columns[rank], m.memory[slot_time]});
  return true;
}

Outcome solve_linear(Machine& m, Index index, Entry at) {
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  const std::size_t n = block.unknowns.size();
  std::vector<double>& before = state.trial;
  save(m, block, before.data());
  // From 0, so that the solution is a function of the inputs alone.
  std::fill(state.unknowns.begin(), state.unknowns.end(), 0.0);
  load(m, block, state.unknowns.data());
  Outcome outcome = evaluate_jacobian(m, index);
  if (!outcome.ok()) return outcome;
  const std::size_t column = factorise_jacobian(state);
  if (column != n) return solve_undetermined(m, index, before) ? Outcome{} : singular(m, index, at, column);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < n; ++k) state.step[k] = -state.residual[k];
    solve_jacobian(state, state.step.data());
    for (std::size_t k = 0; k < n; ++k) state.unknowns[k] += state.step[k];
    if (pass == 1) set_scale(state, block);
    if (pass == 1 && !(scaled_size(state.step, state.scale) > 1e-12)) break;
    outcome = evaluate_residual(m, index, state.unknowns.data(), state.residual.data());
    if (!outcome.ok()) return outcome;
  }
  load(m, block, state.unknowns.data());
  for (const double value : state.unknowns)
    if (!std::isfinite(value)) return singular(m, index, at, n);
  return evaluate_residual(m, index, state.unknowns.data(), state.residual.data());
}

// Damped Newton with the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems, 3.3).
Outcome newton(Machine& m, Index index, Entry at) {
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  const std::size_t n = block.unknowns.size();
  save(m, block, state.unknowns.data());
  double last = std::numeric_limits<double>::infinity();
  int iteration = 0;
  for (; iteration < newton_bound; ++iteration) {
    load(m, block, state.unknowns.data());
    Outcome outcome = evaluate_jacobian(m, index);
    if (!outcome.ok()) return outcome;
    if (std::all_of(state.residual.begin(), state.residual.end(), [](double r) { return r == 0; })) return {};
    const std::size_t column = factorise_jacobian(state);
    if (column != n) return singular(m, index, at, column);
    for (std::size_t k = 0; k < n; ++k) state.step[k] = -state.residual[k];
    solve_jacobian(state, state.step.data());
    set_scale(state, block);
    const double size = scaled_size(state.step, state.scale);
    if (!std::isfinite(size)) break;
    if (size <= converged || (size <= stagnated && size >= 0.5 * last)) {
      for (std::size_t k = 0; k < n; ++k) state.unknowns[k] += state.step[k];
      return evaluate_residual(m, index, state.unknowns.data(), state.residual.data());
    }
    last = size;
    bool accepted = false;
    for (double damping = 1; damping > 1e-6; damping *= 0.5) {
      for (std::size_t k = 0; k < n; ++k) state.trial[k] = state.unknowns[k] + damping * state.step[k];
      if (!evaluate_residual(m, index, state.trial.data(), state.residual.data()).ok()) continue;
      for (double& r : state.residual) r = -r;
      solve_jacobian(state, state.residual.data());
      const double next = scaled_size(state.residual, state.scale);
      if (!(next <= (1 - damping / 4) * size)) continue;
      accepted = true;
      state.unknowns = state.trial;
      if (damping == 1 && next <= converged) {
        for (std::size_t k = 0; k < n; ++k) state.unknowns[k] += state.residual[k];
        return evaluate_residual(m, index, state.unknowns.data(), state.residual.data());
      }
      break;
    }
    if (!accepted) break;
  }
  load(m, block, state.unknowns.data());
  const Outcome outcome = evaluate_residual(m, index, state.unknowns.data(), state.residual.data());
  if (!outcome.ok()) return outcome;
  const auto worst = std::max_element(state.residual.begin(), state.residual.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  return fail(m, index, Fault::block_diverged, at,
              fmt::format("after {} iterations the largest residual is {:.3g}, with {}", iteration + 1, *worst,
                          values_of(m, block)));
}

Outcome solve_nonlinear(Machine& m, Index index, Entry at) {
  const Block& block = m.program->blocks[index];
  const std::size_t n = block.unknowns.size();
  std::vector<double> start(n);
  save(m, block, start.data());
  const Outcome first = newton(m, index, at);
  if (first.ok()) return first;
  const std::string detail = m.block_detail;
  // Other starts: the guess itself, then farther and farther from it. Each unknown moves by another amount, so that
  // what makes the Jacobian singular at the guess, a symmetry say, is left.
  std::vector<double> other = start;
  for (int attempt = 0; attempt < start_count; ++attempt) {
    for (std::size_t k = 0; k < n && attempt > 0; ++k) {
      const double nominal = k < block.nominal.size() ? block.nominal[k] : 1;
      const double part = std::fmod(double(k + 1) * golden_ratio, 1.0) + 0.5;
      const double distance = attempt_distance[attempt] * std::max(std::abs(start[k]), nominal);
      other[k] = start[k] + (attempt % 2 == 1 ? distance : -distance) * part;
    }
    if (solve_with_kinsol(m, index, other.data()) && newton(m, index, at).ok()) return {};
    if (attempt == 0) continue;
    load(m, block, other.data());
    if (newton(m, index, at).ok()) return {};
  }
  load(m, block, start.data());
  m.block_detail = detail;
  if (first.fault == Fault::block_diverged || first.fault == Fault::block_singular) m.failed_block = index;
  return first;
}

Outcome solve_frozen(Machine& m, Index index, Entry at) {
  return m.program->blocks[index].linear ? solve_linear(m, index, at) : solve_nonlinear(m, index, at);
}

// Relations in the block are frozen while it is solved; afterwards they must agree with the solution.
Outcome solve_with_relations(Machine& m, Index index, Mode mode, Entry at) {
  const Block& block = m.program->blocks[index];
  std::size_t flips = m.flips.size();
  // Nothing is known of the relations before the first solution: the guess decides.
  if (mode == Mode::literal) (void)run(m, block.code, mode);
  for (int pass = 0; pass < relation_bound; ++pass) {
    Outcome outcome = solve_frozen(m, index, at);
    const std::uint64_t before = m.changes;
    flips = m.flips.size();
    if (!outcome.ok()) {
      // No solution with these relations: perhaps the guess says that they are out of date.
      const Outcome retry = run(m, block.code, mode);
      if (!retry.ok() || m.changes == before) return outcome;
      continue;
    }
    outcome = run(m, block.code, mode);
    if (!outcome.ok()) return outcome;
    if (m.changes == before) return {};
  }
  std::string keeps_changing;
  for (std::size_t k = flips; k < m.flips.size(); ++k) {
    const Index origin = m.program->relations[m.flips[k].relation].origin;
    if (origin == none) continue;
    const Origin& place = m.program->origins[origin];
    keeps_changing += fmt::format("{}{} ({}:{})", keeps_changing.empty() ? "" : ", ", place.text, place.path, place.line);
  }
  if (keeps_changing.empty()) keeps_changing = "an integer-valued function";
  return fail(m, index, Fault::block_relations, at,
              fmt::format("{} keeps changing with the solution, now {}", keeps_changing, values_of(m, block)));
}

// The tangents of the solution: J dz = -dr, then everything that follows from the unknowns.
Outcome differentiate(Machine& m, Index index, unsigned width, double* tangent, Entry at) {
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  const std::size_t n = block.unknowns.size();
  Outcome outcome = evaluate_jacobian(m, index);
  if (!outcome.ok()) return outcome;
  const std::size_t column = factorise_jacobian(state);
  std::vector<std::size_t> columns;
  std::size_t rank = n;
  if (column != n) {
    // Solved all the same: what is open stays as it is.
    if (!block.linear || state.sparse || m.memory[slot_initial] != 0) return singular(m, index, at, column);
    outcome = evaluate_jacobian(m, index);
    if (!outcome.ok()) return outcome;
    rank = factorise_completely(state.jacobian, columns);
  }
  for (const Slot slot : block.unknowns) std::fill_n(tangent + std::size_t(slot) * width, width, 0.0);
  outcome = run_dual(m, block.code, width, tangent);
  if (!outcome.ok()) return outcome;
  for (unsigned k = 0; k < width; ++k) {
    for (std::size_t row = 0; row < n; ++row) state.step[row] = -tangent[std::size_t(block.residuals[row]) * width + k];
    if (columns.empty())
      solve_jacobian(state, state.step.data());
    else
      (void)solve_completely(state.jacobian, rank, columns, state.step.data());
    for (std::size_t row = 0; row < n; ++row) tangent[std::size_t(block.unknowns[row]) * width + k] = state.step[row];
  }
  return run_dual(m, block.code, width, tangent);
}

}  // namespace

BlockState make_block_state(const Program& program, const Block& block) {
  BlockState state;
  const std::size_t n = block.unknowns.size();
  state.unknowns.resize(n);
  state.step.resize(n);
  state.residual.resize(n);
  state.trial.resize(n);
  state.scale.assign(n, 1.0);
  state.end = end_of(program, block.code);
  std::vector<Slot> stack = block.unknowns;
  std::vector<bool> seen(program.memory.size());
  const auto add = [&](Slot slot) {
    if (!seen[slot]) seen[slot] = true, state.written.push_back(slot);
  };
  for (const Slot slot : block.unknowns) add(slot);
  for (Entry at = block.code; at < state.end; ++at) {
    const Instruction& i = program.code[at];
    if (writes(i.op)) add(i.a);
    if (i.op == Opcode::solve) {
      // What an inner block writes is written in here too.
      for (const Slot slot : make_block_state(program, program.blocks[i.d]).written) add(slot);
    }
  }
  if (n > largest_dense) {
    state.sparse =
        std::make_unique<SparseSystem>(dependences(program, block.code, block.unknowns, block.residuals));
  } else {
    state.jacobian = make_dense(n);
  }
  return state;
}

Outcome evaluate_residual(Machine& m, Index index, const double* unknowns, double* residual) {
  const Block& block = m.program->blocks[index];
  load(m, block, unknowns);
  const Outcome outcome = run(m, block.code, Mode::frozen);
  for (std::size_t k = 0; k < block.residuals.size(); ++k) residual[k] = m.memory[block.residuals[k]];
  return outcome;
}

Outcome evaluate_jacobian(Machine& m, Index index) {
  const Block& block = m.program->blocks[index];
  BlockState& state = m.blocks[index];
  const std::size_t n = block.unknowns.size();
  const std::size_t directions = state.sparse ? state.sparse->colouring.colours : n;
  const unsigned width = width_for(directions);
  const unsigned depth = m.depth++;
  if (m.inner_tangents.size() <= depth) m.inner_tangents.resize(depth + 1);
  std::vector<double>& tangents = m.inner_tangents[depth];
  if (tangents.empty()) tangents.assign(m.memory.size() * max_width, 0.0);
  double* const tangent = tangents.data();

  Outcome outcome;
  for (std::size_t first = 0; first < directions && outcome.ok(); first += width) {
    for (std::size_t k = 0; k < n; ++k) {
      double* const seed = tangent + std::size_t(block.unknowns[k]) * width;
      std::fill_n(seed, width, 0.0);
      const std::size_t direction = state.sparse ? state.sparse->colouring.colour[k] : k;
      if (direction >= first && direction < first + width) seed[direction - first] = 1;
    }
    outcome = run_dual(m, block.code, width, tangent);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t direction = state.sparse ? state.sparse->colouring.colour[k] : k;
      if (direction < first || direction >= first + width) continue;
      if (state.sparse) {
        const Pattern& pattern = state.sparse->pattern;
        for (auto entry = pattern.starts[k]; entry < pattern.starts[k + 1]; ++entry)
          state.sparse->values[std::size_t(entry)] =
              tangent[std::size_t(block.residuals[std::size_t(pattern.rows[std::size_t(entry)])]) * width + direction - first];
      } else {
        for (std::size_t row = 0; row < n; ++row)
          state.jacobian.at(row, k) = tangent[std::size_t(block.residuals[row]) * width + direction - first];
      }
    }
  }
  for (const Slot slot : state.written) std::fill_n(tangent + std::size_t(slot) * width, width, 0.0);
  for (std::size_t k = 0; k < n; ++k) state.residual[k] = m.memory[block.residuals[k]];
  --m.depth;
  return outcome;
}

Outcome solve_block(Machine& m, Index index, Mode mode, unsigned width, double* tangent, Entry at) {
  const Outcome outcome = mode == Mode::literal || mode == Mode::live ? solve_with_relations(m, index, mode, at)
                                                                      : solve_frozen(m, index, at);
  if (!outcome.ok() || width == 0) return outcome;
  return differentiate(m, index, width, tangent, at);
}

}  // namespace mosim::runtime
