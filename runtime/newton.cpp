#include "runtime/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/block_system.hpp"
#include "runtime/kinsol.hpp"

namespace mosim::runtime {

namespace {
constexpr int newton_bound = 50;
constexpr double converged = 1e-10;   // of the last correction, relative to max(|unknown|, nominal)
constexpr double stagnated = 1e-7;    // still a solution when rounding allows no more
constexpr double least_rate = 0.4, same_rate = 0.05, longest_stretch = 100;   // of linear convergence
constexpr int start_count = 7;
constexpr double attempt_distance[start_count] = {0, 0.05, 0.05, 0.3, 0.3, 2, 2};
constexpr double golden_ratio = 0.6180339887498949;
}  // namespace

// Damped Newton with the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems, 3.3).
Outcome newton(Machine& m, Index index, Entry at) {
  const Block& block = m.program->blocks[index];
  BlockState& state = state_of(m, index);
  const std::size_t n = block.unknowns.size();
  save(m, block, state.unknowns.data());
  double last = std::numeric_limits<double>::infinity();
  double rate = 0;   // by which the last correction was smaller than the one before
  int iteration = 0;
  for (; iteration < newton_bound; ++iteration) {
    state.iterations = iteration + 1;
    load(m, block, state.unknowns.data());
    Outcome outcome = evaluate_jacobian(m, index);
    if (!outcome.ok()) return outcome;
    if (std::all_of(state.residual.begin(), state.residual.end(), [](double r) { return r == 0; })) return {};
    const std::size_t column = factorise_jacobian(m, index);
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
    const double stretch = size / last > least_rate && std::abs(size / last - rate) < same_rate ? 1 / (1 - size / last) : 1;
    rate = size / last;
    last = size;
    bool accepted = false;
    if (stretch > 1 && stretch < longest_stretch) {
      for (std::size_t k = 0; k < n; ++k) state.trial[k] = state.unknowns[k] + stretch * state.step[k];
      if (evaluate_residual(m, index, state.trial.data(), state.residual.data()).ok()) {
        for (double& r : state.residual) r = -r;
        solve_jacobian(state, state.residual.data());
        accepted = scaled_size(state.residual, state.scale) <= (1 - rate) * size;
        if (accepted) state.unknowns = state.trial;
      }
    }
    for (double damping = 1; damping > 1e-6 && !accepted; damping *= 0.5) {
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

Outcome newton_from_elsewhere(Machine& m, Index index, Entry at, const std::function<bool()>& is_solution) {
  const Block& block = m.program->blocks[index];
  const std::size_t n = block.unknowns.size();
  std::vector<double> start(n);
  save(m, block, start.data());
  Outcome last;
  // Each unknown moves by another amount, so that what makes the Jacobian singular at the guess, a symmetry say, is left.
  std::vector<double> other = start;
  for (int attempt = 0; attempt < start_count && (attempt == 0 || m.work <= m.work_bound); ++attempt) {
    for (std::size_t k = 0; k < n && attempt > 0; ++k) {
      const double nominal = k < block.nominal.size() ? block.nominal[k] : 1;
      const double part = std::fmod(double(k + 1) * golden_ratio, 1.0) + 0.5;
      const double distance = attempt_distance[attempt] * std::max(std::abs(start[k]), nominal);
      other[k] = start[k] + (attempt % 2 == 1 ? distance : -distance) * part;
    }
    if (solve_with_kinsol(m, index, other.data()) && newton(m, index, at).ok() && is_solution()) return {};
    if (attempt == 0) continue;
    load(m, block, other.data());
    last = newton(m, index, at);
    if (last.ok() && is_solution()) return {};
  }
  if (last.ok()) return {};   // the caller says what is wrong with it
  load(m, block, start.data());
  return last;
}

}  // namespace mosim::runtime
