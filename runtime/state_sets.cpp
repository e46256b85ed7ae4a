#include "runtime/state_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/explain.hpp"

namespace mosim::runtime {

namespace {

/// A set changes when its determinant is smaller than this part of the best one.
constexpr double least_part = 0.3;

/// The coefficients of a set, scaled by the nominal values of the columns.
struct Matrix {
  std::size_t rows, columns;
  std::vector<double> values;   // row by row
  double& at(std::size_t i, std::size_t j) { return values[i * columns + j]; }
};

Matrix coefficients(const Machine& m, const StateSet& set) {
  Matrix result{set.constraints, set.nominal.size(), std::vector<double>(set.coefficients.size())};
  for (std::size_t i = 0, k = 0; i < result.rows; ++i)
    for (std::size_t j = 0; j < result.columns; ++j, ++k) result.values[k] = m.memory[set.coefficients[k]] * set.nominal[j];
  return result;
}

struct Pivot {
  double size = 0;
  std::size_t column = 0;
};

/// Eliminates with the largest pivots among the columns allowed, up to `count` of them. Adds the columns to `taken` and
/// returns the logarithm of the pivots' product; -infinity if there are too few. Such matrices are sparse, and stay so: a row is looked at again
/// when it has changed.
double take_largest(Matrix& a, std::vector<char>& taken, std::size_t& step, std::size_t count, const std::vector<char>& allowed) {
  const auto largest_of = [&](std::size_t i) {
    Pivot found;
    for (std::size_t j = 0; j < a.columns; ++j)
      if (allowed[j] && !taken[j] && std::abs(a.at(i, j)) > found.size) found = {std::abs(a.at(i, j)), j};
    return found;
  };
  std::vector<Pivot> largest(a.rows);
  for (std::size_t i = step; i < a.rows; ++i) largest[i] = largest_of(i);
  double product = 0;
  for (; count > 0; --count, ++step) {
    std::size_t row = step;
    for (std::size_t i = step + 1; i < a.rows; ++i)
      if (largest[i].size > largest[row].size) row = i;
    const auto [size, column] = largest[row];
    if (!(size > 0) || !std::isfinite(size)) return -std::numeric_limits<double>::infinity();
    product += std::log(size);
    taken[column] = 1;
    if (row != step) {
      for (std::size_t j = 0; j < a.columns; ++j) std::swap(a.at(step, j), a.at(row, j));
      std::swap(largest[step], largest[row]);
    }
    for (std::size_t i = step + 1; i < a.rows; ++i) {
      if (a.at(i, column) == 0) continue;
      const double factor = a.at(i, column) / a.at(step, column);
      for (std::size_t j = 0; j < a.columns; ++j) a.at(i, j) -= factor * a.at(step, j);
      largest[i] = largest_of(i);
    }
  }
  return product;
}

/// The best columns to be no states, and how much better they are than those in `present` (a logarithm).
double best_columns(const Matrix& a, std::size_t never, const std::vector<char>& present, std::vector<char>& taken) {
  std::vector<char> first(a.columns, 0), rest(a.columns, 1);
  for (std::size_t j = 0; j < never; ++j) first[j] = 1, rest[j] = 0;
  const auto size = [&](const std::vector<char>& allowed, std::vector<char>& chosen) {
    Matrix copy = a;
    std::size_t step = 0;
    chosen.assign(a.columns, 0);
    const double forced = take_largest(copy, chosen, step, never, first);
    return forced + take_largest(copy, chosen, step, a.rows - never, allowed);
  };
  std::vector<char> ignored;
  const double now = size(present, ignored), best = size(rest, taken);
  return std::isfinite(best) ? best - now : 0;
}

/// The states that stay keep their places.
void change(Machine& m, const StateSet& set, const std::vector<char>& dummies) {
  const std::size_t candidates = set.levels.front().candidates.size(), states = set.select.size() / candidates;
  std::vector<char> open(candidates);
  for (std::size_t j = 0; j < candidates; ++j) open[j] = !dummies[set.never + j];
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < states; ++i) {
    bool stays = false;
    for (std::size_t j = 0; j < candidates; ++j)
      if (!stays && m.memory[set.select[i * candidates + j]] != 0 && open[j]) stays = true, open[j] = 0;
    if (!stays) moved.push_back(i);
  }
  for (const std::size_t i : moved) {
    const std::size_t j = std::size_t(std::find(open.begin(), open.end(), 1) - open.begin());
    open[j] = 0;
    for (std::size_t k = 0; k < candidates; ++k) m.memory[set.select[i * candidates + k]] = k == j;
    for (const StateSet::Level& level : set.levels) m.memory[level.states[i]] = m.memory[level.candidates[j]];
  }
}

bool is_fixed(const StateSet& set) { return set.levels.empty(); }

/// Whether other states are to be chosen; `taken` gets the columns that are to be none.
bool has_better(const Machine& m, const StateSet& set, std::vector<char>& taken) {
  if (is_fixed(set)) return false;
  const Matrix a = coefficients(m, set);
  std::vector<char> present(a.columns, 1);
  const std::size_t candidates = a.columns - set.never;
  for (std::size_t k = 0; k < set.select.size(); ++k)
    if (m.memory[set.select[k]] != 0) present[set.never + k % candidates] = 0;
  for (std::size_t j = 0; j < set.never; ++j) present[j] = 0;
  return best_columns(a, set.never, present, taken) > -std::log(least_part);
}

// The determinant of the columns that are no states, by the best choice: a logarithm.
double determinant(const Machine& m, const StateSet& set) {
  const Matrix all = coefficients(m, set);
  std::vector<char> open(all.columns, 1), any(all.columns, 1), taken(all.columns, 0), best(all.columns, 0);
  for (const std::uint32_t j : set.states) open[j] = 0;
  Matrix a = all, b = all;
  std::size_t step = 0, other = 0;
  const double own = take_largest(a, taken, step, all.rows, open), most = take_largest(b, best, other, all.rows, any);
  return std::isfinite(most) ? own - most : 0;
}

}  // namespace

double fixed_determinant(const Machine& m, std::size_t& worst) {
  double result = 0;
  for (std::size_t k = 0; k < m.program->state_sets.size(); ++k)
    if (const StateSet& set = m.program->state_sets[k]; is_fixed(set))
      if (const double part = determinant(m, set); part < result) result = part, worst = k;
  return result;
}

Message lost_branch(const Machine& m, std::size_t set) {
  const Index origin = m.program->state_sets[set].origin;
  return Message{Severity::error, m.memory[slot_time], origin,
                 fmt::format("two branches of the solution of {} meet here, and the states cannot tell which one goes on", text_of(*m.program, origin)),
                 "leave the choice of states free: without stateSelect = StateSelect.always or prefer it follows the motion"};
}

bool wants_other_states(const Machine& machine) {
  std::vector<char> taken;
  const std::vector<StateSet>& sets = machine.program->state_sets;
  return std::any_of(sets.begin(), sets.end(), [&](const StateSet& set) { return has_better(machine, set, taken); });
}

bool reselect_states(Machine& machine) {
  bool changed = false;
  std::vector<char> taken;
  for (const StateSet& set : machine.program->state_sets) {
    if (!has_better(machine, set, taken)) continue;
    change(machine, set, taken);
    changed = true;
  }
  return changed;
}

}  // namespace mosim::runtime
