#include "runtime/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "runtime/block_system.hpp"
#include "runtime/dense.hpp"
#include "runtime/explain.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

namespace {

constexpr std::size_t largest = 300;        // unknowns, for what takes n^3 operations
constexpr std::size_t largest_search = 60;
constexpr double vanishes = 1e-12;          // of the largest entry
constexpr std::size_t shown = 4;            // equations by name

/// The equations at what memory holds, in units of their unknowns' sizes.
struct Equations {
  Index block = none;                       // the one that they are those of
  DenseMatrix jacobian;
  std::vector<double> residual, row_size;
};

std::optional<Equations> equations_of(Machine& m, Index index) {
  Equations e;
  e.block = m.program->blocks[index].untorn != none ? m.program->blocks[index].untorn : index;
  const Block& block = m.program->blocks[e.block];
  const std::size_t n = block.unknowns.size();
  forget_invariants(m, e.block);
  if (n > largest || block.residual_origins.size() != n || !evaluate_jacobian(m, e.block).ok()) return {};
  BlockState& state = state_of(m, e.block);
  e.residual = state.residual;
  e.jacobian = make_dense(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double size = std::max(std::abs(m.memory[block.unknowns[k]]), k < block.nominal.size() ? block.nominal[k] : 1.0);
    if (state.sparse) {
      const Pattern& pattern = state.sparse->pattern;
      for (auto entry = std::size_t(pattern.starts[k]); entry < std::size_t(pattern.starts[k + 1]); ++entry)
        e.jacobian.at(std::size_t(pattern.rows[entry]), k) = state.sparse->values[entry] * size;
    } else {
      for (std::size_t row = 0; row < n; ++row) e.jacobian.at(row, k) = state.jacobian.at(row, k) * size;
    }
  }
  e.row_size.resize(n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k) {
      if (!std::isfinite(e.jacobian.at(row, k))) return {};
      e.row_size[row] = std::max(e.row_size[row], std::abs(e.jacobian.at(row, k)));
    }
  return e;
}

std::span<const Mention> mentions_of(const Machine& m, Index block, std::size_t row) {
  const Index origin = m.program->blocks[block].residual_origins[row];
  return origin == none ? std::span<const Mention>() : m.program->origins[origin].variables;
}

std::string quoted(const Machine& m, Index block, std::size_t row) { return quote(*m.program, m.program->blocks[block].residual_origins[row]); }

/// The values in some equations that are none of the unknowns: what makes them as they are.
std::string factors(const Machine& m, Index block, const std::vector<std::size_t>& rows) {
  const Block& b = m.program->blocks[block];
  std::vector<Mention> others;
  for (const std::size_t row : rows)
    for (const Mention& v : mentions_of(m, block, row)) {
      const auto same = [&](const Mention& o) { return o.slot == v.slot; };
      if (std::find(b.unknowns.begin(), b.unknowns.end(), v.slot) == b.unknowns.end() && std::none_of(others.begin(), others.end(), same)) others.push_back(v);
    }
  const std::string values = values_text(m, others);
  return values.empty() ? "" : ", with " + values;
}

/// The unknowns that an equation names.
std::string unknowns_in(const Machine& m, Index block, const std::vector<std::size_t>& rows) {
  const Block& b = m.program->blocks[block];
  std::string text;
  std::vector<Slot> said;
  for (const std::size_t row : rows)
    for (const Mention& v : mentions_of(m, block, row)) {
      if (std::find(b.unknowns.begin(), b.unknowns.end(), v.slot) == b.unknowns.end() || std::find(said.begin(), said.end(), v.slot) != said.end()) continue;
      said.push_back(v.slot);
      text += (text.empty() ? "" : ", ") + name_of(*m.program, v);
    }
  return text.empty() ? "its unknowns" : text;
}

/// Factors for the rows that make their sum vanish, the largest 1; empty if only zero factors do.
std::vector<double> vanishing_combination(const Equations& e) {
  const std::size_t n = e.row_size.size();
  DenseMatrix transposed = make_dense(n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k) transposed.at(k, row) = e.jacobian.at(row, k) / e.row_size[row];
  std::vector<std::size_t> order;
  const std::size_t rank = factorise_completely(transposed, order);
  if (rank == n) return {};
  std::vector<double> solution(n), result(n);
  solution[rank] = 1;
  for (std::size_t k = rank; k-- > 0;) {
    double sum = 0;
    for (std::size_t j = k + 1; j <= rank; ++j) sum += transposed.at(k, j) * solution[j];
    solution[k] = -sum / transposed.at(k, k);
  }
  double size = 0;
  for (std::size_t k = 0; k < n; ++k) size = std::max(size, std::abs(solution[k]));
  for (std::size_t k = 0; k < n; ++k)
    if (std::abs(solution[k]) > 1e-9 * size) result[order[k]] = solution[k] / size;
  return result;
}

}  // namespace

std::optional<std::string> explain_singular(Machine& m, Index index) {
  const auto e = equations_of(m, index);
  if (!e) return {};
  const std::size_t n = e->row_size.size();
  const double largest_row = *std::max_element(e->row_size.begin(), e->row_size.end());
  for (std::size_t row = 0; row < n; ++row)
    if (e->row_size[row] <= vanishes * largest_row)
      return fmt::format("{} says nothing of {} now: what is multiplied with {} is 0{}", quoted(m, e->block, row), unknowns_in(m, e->block, {row}),
                         n == 1 ? "it" : "them", factors(m, e->block, {row}));
  const std::vector<double> factor = vanishing_combination(*e);
  std::vector<std::size_t> rows;
  double sum = 0, size = 0;
  for (std::size_t row = 0; row < factor.size(); ++row) {
    if (factor[row] == 0) continue;
    rows.push_back(row);
    sum += factor[row] * e->residual[row] / e->row_size[row];
    size = std::max({size, std::abs(factor[row] * e->residual[row] / e->row_size[row]), std::abs(factor[row])});
  }
  if (rows.size() < 2) return {};
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {   // as they stand in the source
    const std::vector<Index>& origins = m.program->blocks[e->block].residual_origins;
    if (origins[a] == none || origins[b] == none) return false;
    const Spot &x = m.program->origins[origins[a]].at, &y = m.program->origins[origins[b]].at;
    return std::tie(x.path, x.line, x.column) < std::tie(y.path, y.line, y.column);
  });
  const bool agree = std::abs(sum) <= 1e-9 * size;
  std::string which;
  for (std::size_t k = 0; k < std::min(rows.size(), shown); ++k)
    which += (k == 0 ? "" : k + 1 == rows.size() ? " and " : ", ") + quoted(m, e->block, rows[k]);
  if (rows.size() > shown) which += fmt::format(" and {} more", rows.size() - shown);
  const std::string about = unknowns_in(m, e->block, rows), values = factors(m, e->block, rows);
  if (rows.size() == 2)
    return agree ? fmt::format("{} say the same about {}{}: one equation is missing", which, about, values)
                 : fmt::format("{} contradict each other{}: but for a factor, their terms with {} are the same, and the rest differs", which, values, about);
  return agree ? fmt::format("{} say no more about {} than {} equations would{}: one is missing", which, about, rows.size() - 1, values)
               : fmt::format("{} contradict each other{}: combined, their terms with {} cancel, and the rest does not", which, values, about);
}

std::optional<std::string> explain_no_solution(Machine& m, Index index) {
  const auto start = equations_of(m, index);
  if (!start || start->row_size.size() > largest_search) return {};
  const std::size_t n = start->row_size.size();
  const Block& block = m.program->blocks[start->block];
  std::vector<double> x(n), before(n), size(n), row_size = start->row_size;
  save(m, block, x.data());
  before = x;
  for (std::size_t k = 0; k < n; ++k) size[k] = std::max(std::abs(x[k]), k < block.nominal.size() ? block.nominal[k] : 1.0);
  for (double& s : row_size) s = s > 0 ? s : 1;
  const auto squares = [&](const std::vector<double>& residual) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += residual[k] * residual[k] / (row_size[k] * row_size[k]);
    return sum;
  };
  std::vector<double> residual = start->residual, trial(n), step(n);
  double value = squares(residual), damping = 1e-3;
  bool least = false;
  for (int iteration = 0; iteration < 200 && value > 0; ++iteration) {
    load(m, block, x.data());
    const auto here = equations_of(m, index);
    if (!here) break;
    // In units of the sizes at the start.
    DenseMatrix normal = make_dense(n);
    std::vector<double> gradient(n);
    const auto entry = [&](std::size_t row, std::size_t k) {
      const double own = std::max(std::abs(x[k]), k < block.nominal.size() ? block.nominal[k] : 1.0);
      return here->jacobian.at(row, k) / own * size[k] / row_size[row];
    };
    double steepness = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t row = 0; row < n; ++row) gradient[i] += entry(row, i) * here->residual[row] / row_size[row];
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t row = 0; row < n; ++row) normal.at(i, j) += entry(row, i) * entry(row, j);
      steepness = std::max(steepness, std::abs(gradient[i]));
    }
    least = steepness <= 1e-6 * value;
    if (least) break;
    bool accepted = false;
    for (int attempt = 0; attempt < 60 && !accepted; ++attempt, damping *= 4) {
      DenseMatrix damped = normal;
      for (std::size_t i = 0; i < n; ++i) {
        damped.at(i, i) += damping;
        step[i] = -gradient[i];
      }
      if (factorise(damped) != n) continue;
      solve(damped, step.data());
      for (std::size_t i = 0; i < n; ++i) trial[i] = x[i] + step[i] * size[i];
      if (!evaluate_residual(m, start->block, trial.data(), residual.data()).ok()) continue;
      accepted = squares(residual) < value;
    }
    if (!accepted) break;
    value = squares(residual);
    x = trial;
    damping /= 16;
  }
  load(m, block, x.data());
  std::optional<std::string> said;
  // What is left of the residuals at the start may be the way of the search, not of the equations.
  if (least && evaluate_residual(m, start->block, x.data(), residual.data()).ok() && value > 1e-16) {
    std::size_t worst = 0;
    for (std::size_t row = 0; row < n; ++row)
      if (std::abs(residual[row]) / row_size[row] > std::abs(residual[worst]) / row_size[worst]) worst = row;
    said = fmt::format("near here it has no solution: {}{} come no closer to each other than {:.3g}, at {}", n == 1 ? "the two sides of " : "the sides of ",
                       quoted(m, start->block, worst), std::abs(residual[worst]), values_of(m, block));
  }
  load(m, block, before.data());
  std::vector<double> restored(n);
  (void)evaluate_residual(m, start->block, before.data(), restored.data());
  return said;
}

}  // namespace mosim::runtime
