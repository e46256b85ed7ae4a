#include "runtime/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
constexpr double first_look = 0.01, look_growth = 1.2, farthest_look = 1e4;   // of max(|unknown|, nominal)

/// Residual of an equation with one unknown; NaN where it has none.
double residual_at(Machine& m, Index index, double x) {
  double r = 0;
  return evaluate_residual(m, index, &x, &r).ok() ? r : std::numeric_limits<double>::quiet_NaN();
}

/// Between two neighbours of opposite sign: bisection, up to rounding.
double bisect(Machine& m, Index index, double a, double b, double at_a) {
  for (;;) {
    const double middle = a + 0.5 * (b - a);
    if (middle == a || middle == b) return middle;
    const double r = residual_at(m, index, middle);
    if (r == 0) return middle;
    (std::signbit(r) == std::signbit(at_a) ? a : b) = middle;
  }
}
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

namespace {

/// One equation with one unknown, where Newton's method has come to nothing from `start`, as it does where the slope vanishes: the nearest
/// change of sign to both sides, to the right first.
bool solve_nearby(Machine& m, Index index, Entry at, double start, const std::function<bool()>& is_solution) {
  const Block& block = m.program->blocks[index];
  const double size = std::max(std::abs(start), block.nominal.empty() ? 1.0 : block.nominal.front());
  double last[2] = {start, start}, seen[2];
  seen[0] = seen[1] = residual_at(m, index, start);
  for (double distance = first_look; distance < farthest_look && m.work <= m.work_bound; distance *= look_growth)
    for (const int side : {0, 1}) {
      const double x = start + (side == 0 ? distance : -distance) * size, r = residual_at(m, index, x), before = std::exchange(last[side], x);
      const double at_before = std::exchange(seen[side], r);
      if (std::isnan(r) || std::isnan(at_before) || (r != 0 && std::signbit(r) == std::signbit(at_before))) continue;
      double root = r == 0 ? x : bisect(m, index, before, x, at_before);
      load(m, block, &root);
      if (newton(m, index, at).ok() && is_solution()) return true;
      load(m, block, &root);   // its slope may vanish there
      if (evaluate_residual(m, index, &root, &m.blocks[index].residual[0]).ok() && is_solution()) return true;
    }
  return false;
}

}  // namespace

Outcome newton_from_elsewhere(Machine& m, Index index, Entry at, const std::function<bool()>& is_solution) {
  const Block& block = m.program->blocks[index];
  const std::size_t n = block.unknowns.size();
  std::vector<double> start(n);
  save(m, block, start.data());
  if (n == 1 && solve_nearby(m, index, at, start.front(), is_solution)) return {};
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
