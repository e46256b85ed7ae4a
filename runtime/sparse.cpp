#include "runtime/sparse.hpp"

#include <klu.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/dense.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

Colouring colour(const Pattern& pattern) {
  // Rows of a column lead to the other columns that must differ.
  std::vector<std::vector<std::uint32_t>> columns_of(pattern.n);
  Colouring result;
  result.colour.assign(pattern.n, 0);
  std::vector<std::uint32_t> taken;  // by colour: the last column that saw it
  for (std::uint32_t column = 0; column < pattern.n; ++column) {
    for (auto k = pattern.starts[column]; k < pattern.starts[column + 1]; ++k)
      for (const std::uint32_t other : columns_of[std::size_t(pattern.rows[k])]) taken[result.colour[other]] = column + 1;
    std::uint32_t chosen = 0;
    while (chosen < taken.size() && taken[chosen] == column + 1) ++chosen;
    if (chosen == taken.size()) taken.push_back(0);
    result.colour[column] = chosen;
    for (auto k = pattern.starts[column]; k < pattern.starts[column + 1]; ++k)
      columns_of[std::size_t(pattern.rows[k])].push_back(column);
  }
  result.colours = static_cast<std::uint32_t>(taken.size());
  return result;
}

bool is_sparse(const Pattern& pattern) {
  const std::size_t n = pattern.n;
  if (n <= largest_dense || 4 * pattern.rows.size() < n * n) return n > largest_dense;
  // Half of the unknowns may be given by the others, as positions are by speeds, and are eliminated at no cost.
  std::vector<std::size_t> entries(n);
  for (const std::int32_t row : pattern.rows) ++entries[std::size_t(row)];
  const double full = double(std::count_if(entries.begin(), entries.end(), [&](std::size_t count) { return 8 * count > n; }));
  return 2.0 / 3 * full * full * full < factorisation_cost(n);
}

Pattern make_pattern(std::size_t n, const std::vector<Dependence>& entries, bool diagonal) {
  std::vector<std::vector<std::int32_t>> columns(n);
  for (const Dependence& entry : entries) columns[entry.state].push_back(std::int32_t(entry.derivative));
  Pattern result;
  result.n = n;
  result.starts.push_back(0);
  for (std::size_t j = 0; j < n; ++j) {
    if (diagonal) columns[j].push_back(std::int32_t(j));
    std::sort(columns[j].begin(), columns[j].end());
    columns[j].erase(std::unique(columns[j].begin(), columns[j].end()), columns[j].end());
    result.rows.insert(result.rows.end(), columns[j].begin(), columns[j].end());
    result.starts.push_back(std::int32_t(result.rows.size()));
  }
  return result;
}

namespace {

using Set = std::vector<std::uint32_t>;  // ascending input numbers

void merge(Set& into, const Set& from) {
  if (from.empty() || &into == &from) return;
  Set sum;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(sum));
  into = std::move(sum);
}

// Branches are merged: an assignment adds to what a slot may depend on, unless the code is straight.
void follow(const Program& program, Entry entry, std::vector<Set>& sets, bool straight) {
  for (Entry at = entry; program.code[at].op != Opcode::end; ++at)
    if (facts(program.code[at].op).jumps) straight = false;
  each_instruction(program, entry, [&](const Instruction& i) {
    if (i.op == Opcode::solve) {
      const Block& block = program.blocks[i.d];
      for (const Slot slot : block.unknowns) sets[slot].clear();
      follow(program, block.code, sets, straight);
      Set all;
      for (const Slot slot : block.residuals) merge(all, sets[slot]);
      for (const Slot slot : block.unknowns) sets[slot] = all;
      follow(program, block.code, sets, straight);
    } else {
      Set sum;
      each_read(program, i, [&](Slot slot) { merge(sum, sets[slot]); });
      each_written(program, i, [&](Slot slot) {
        Set all = sum;
        if (!straight || i.op == Opcode::store) merge(all, sets[slot]);
        sets[slot] = std::move(all);
      });
    }
  });
}

}  // namespace

Pattern dependences(const Program& program, Entry entry, const std::vector<Slot>& inputs,
                    const std::vector<Slot>& outputs) {
  std::vector<Set> sets(program.memory.size());
  for (std::uint32_t k = 0; k < inputs.size(); ++k) sets[inputs[k]] = {k};
  follow(program, entry, sets, true);
  std::vector<Dependence> entries;
  for (std::uint32_t row = 0; row < outputs.size(); ++row)
    for (const std::uint32_t column : sets[outputs[row]]) entries.push_back({row, column});
  return make_pattern(inputs.size(), entries, false);   // which row is whose is arbitrary: a diagonal that is not there would tie a tree together
}

namespace {
constexpr double growth_kept = 0.1;         // of the growth with pivots of these values
constexpr double worth_ordering = 1e5;      // floating-point operations of a factorisation
}  // namespace

struct SparseSystem::Factors {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double operations = std::numeric_limits<double>::infinity();   // of a factorisation with these pivots
  double growth = 0;   // reciprocal growth of the pivots (max |A| / max |U|, the worst column) when they were chosen
  bool has_ordering = false;
};

SparseSystem::SparseSystem(Pattern given) : pattern(std::move(given)), factors(std::make_unique<Factors>()) {
  values.assign(pattern.rows.size(), 0.0);
  klu_defaults(&factors->common);
  // Which row stands where is arbitrary in loops: the diagonal deserves no preference over larger pivots.
  factors->common.tol = 0.5;
}

SparseSystem::~SparseSystem() {
  klu_free_numeric(&factors->numeric, &factors->common);
  klu_free_symbolic(&factors->symbolic, &factors->common);
}

namespace {

bool analyse(SparseSystem& system) {
  SparseSystem::Factors& f = *system.factors;
  if (f.symbolic == nullptr) f.symbolic = klu_analyze(int(system.pattern.n), system.pattern.starts.data(), system.pattern.rows.data(), &f.common);
  return f.symbolic != nullptr;
}

// Which ordering fills less shows when both are tried, once, on a matrix that is worth it: minimum degree of A + A', for what is nearly
// symmetric, or that of A'A.
void choose_ordering(SparseSystem& system) {
  SparseSystem::Factors& f = *system.factors;
  f.has_ordering = true;
  if (!(f.symbolic->est_flops > worth_ordering) || klu_flops(f.symbolic, f.numeric, &f.common) == 0) return;
  std::int32_t* const starts = system.pattern.starts.data();
  std::int32_t* const rows = system.pattern.rows.data();
  klu_common common = f.common;
  common.ordering = 1;
  klu_symbolic* symbolic = klu_analyze(int(system.pattern.n), starts, rows, &common);
  klu_numeric* numeric = symbolic == nullptr ? nullptr : klu_factor(starts, rows, system.values.data(), symbolic, &common);
  const bool works = numeric != nullptr && common.status == KLU_OK && klu_flops(symbolic, numeric, &common) != 0;
  if (works && common.flops < f.common.flops) {
    std::swap(symbolic, f.symbolic);
    std::swap(numeric, f.numeric);
  }
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
}

}  // namespace

double factorisation_cost(SparseSystem& system) {
  return system.factors->numeric != nullptr ? system.factors->operations : std::numeric_limits<double>::infinity();
}

Factorised factorise(SparseSystem& system, double least_condition) {
  if (!analyse(system)) return Factorised::singular;
  SparseSystem::Factors& f = *system.factors;
  std::int32_t* const starts = system.pattern.starts.data();
  std::int32_t* const rows = system.pattern.rows.data();
  double* const values = system.values.data();
  const auto is_regular = [&] { return klu_rcond(f.symbolic, f.numeric, &f.common) != 0 && f.common.rcond > least_condition; };
  const auto has_grown = [&] { return klu_rgrowth(starts, rows, values, f.symbolic, f.numeric, &f.common) == 0 || !(f.common.rgrowth >= growth_kept * f.growth); };
  if (f.numeric != nullptr && klu_refactor(starts, rows, values, f.symbolic, f.numeric, &f.common) != 0 && f.common.status == KLU_OK && !has_grown() && is_regular())
    return Factorised::with_known_pivots;
  klu_free_numeric(&f.numeric, &f.common);
  f.numeric = klu_factor(starts, rows, values, f.symbolic, &f.common);
  if (f.numeric == nullptr || f.common.status == KLU_SINGULAR || !is_regular()) {
    klu_free_numeric(&f.numeric, &f.common);
    return Factorised::singular;
  }
  if (!f.has_ordering) choose_ordering(system);
  f.operations = klu_flops(f.symbolic, f.numeric, &f.common) != 0 ? f.common.flops : std::numeric_limits<double>::infinity();
  f.growth = klu_rgrowth(starts, rows, values, f.symbolic, f.numeric, &f.common) != 0 ? f.common.rgrowth : 1;
  return Factorised::with_new_pivots;
}

void solve(SparseSystem& system, double* right_side) {
  SparseSystem::Factors& f = *system.factors;
  klu_solve(f.symbolic, f.numeric, int(system.pattern.n), 1, right_side, &f.common);
}

}  // namespace mosim::runtime
