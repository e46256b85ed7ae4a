#include "runtime/sparse.hpp"

#include <klu.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "runtime/dense.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/known_pivots.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

namespace {

/// The colours in a row: a list, or bits where they are many.
class Colours {
public:
  void add(std::uint32_t colour) {
    if (list_.size() < most_listed) return list_.push_back(colour);
    if (bits_.empty())
      for (const std::uint32_t one : list_) set(one);
    set(colour);
  }
  void add_to(std::vector<std::uint64_t>& taken) const {
    if (!bits_.empty()) {
      for (std::size_t k = 0; k < bits_.size(); ++k) taken[k] |= bits_[k];
      return;
    }
    for (const std::uint32_t one : list_) taken[one / 64] |= std::uint64_t(1) << one % 64;
  }

private:
  static constexpr std::size_t most_listed = 32;
  void set(std::uint32_t colour) {
    if (bits_.size() <= colour / 64) bits_.resize(colour / 64 + 1);
    bits_[colour / 64] |= std::uint64_t(1) << colour % 64;
  }
  std::vector<std::uint32_t> list_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

Colouring colour(const Pattern& pattern) {
  std::vector<Colours> rows(pattern.n);
  Colouring result;
  result.colour.assign(pattern.n, 0);
  std::vector<std::uint64_t> taken;   // by the columns that have a row with this one
  for (std::uint32_t column = 0; column < pattern.n; ++column) {
    taken.assign(result.colours / 64 + 1, 0);
    for (auto k = pattern.starts[column]; k < pattern.starts[column + 1]; ++k) rows[std::size_t(pattern.rows[k])].add_to(taken);
    std::size_t word = 0;
    while (word + 1 < taken.size() && ~taken[word] == 0) ++word;
    const auto chosen = std::uint32_t(64 * word + std::size_t(std::countr_one(taken[word])));
    result.colours = std::max(result.colours, chosen + 1);
    result.colour[column] = chosen;
    for (auto k = pattern.starts[column]; k < pattern.starts[column + 1]; ++k) rows[std::size_t(pattern.rows[k])].add(chosen);
  }
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
  std::optional<KnownPivots> pivots;   // none: not factorised, or singular
  double operations = std::numeric_limits<double>::infinity();   // of a factorisation with these pivots
  double growth = 0;   // when they were chosen
  bool has_ordering = false;
};

SparseSystem::SparseSystem(Pattern given) : pattern(std::move(given)), factors(std::make_unique<Factors>()) {
  values.assign(pattern.rows.size(), 0.0);
  klu_defaults(&factors->common);
  // Which row stands where is arbitrary in loops: the diagonal deserves no preference over larger pivots.
  factors->common.tol = 0.5;
}

SparseSystem::~SparseSystem() { klu_free_symbolic(&factors->symbolic, &factors->common); }

namespace {

/// A factorisation by KLU, which chooses the pivots.
class Chosen {
public:
  Chosen(SparseSystem& system, klu_symbolic* symbolic, klu_common& common) : system_(&system), symbolic_(symbolic), common_(&common) {
    if (symbolic != nullptr) numeric_ = klu_factor(system.pattern.starts.data(), system.pattern.rows.data(), system.values.data(), symbolic, &common);
  }
  ~Chosen() { klu_free_numeric(&numeric_, common_); }
  Chosen(const Chosen&) = delete;
  Chosen& operator=(const Chosen&) = delete;

  bool succeeded() const { return numeric_ != nullptr && common_->status == KLU_OK; }
  double operations() const { return klu_flops(symbolic_, numeric_, common_) != 0 ? common_->flops : std::numeric_limits<double>::infinity(); }
  Pivots pivots() const;

private:
  SparseSystem* system_;
  klu_symbolic* symbolic_;
  klu_common* common_;
  klu_numeric* numeric_ = nullptr;
};

Pivots Chosen::pivots() const {
  const std::size_t n = system_->pattern.n;
  Pivots p;
  p.rows.resize(n);
  p.columns.resize(n);
  p.blocks.resize(n + 1);
  p.lower_starts.resize(n + 1);
  p.upper_starts.resize(n + 1);
  p.lower_rows.resize(std::size_t(numeric_->lnz));
  p.upper_rows.resize(std::size_t(numeric_->unz));
  std::vector<double> values(std::max(p.lower_rows.size(), p.upper_rows.size()));   // not used
  klu_extract(numeric_, symbolic_, p.lower_starts.data(), p.lower_rows.data(), values.data(), p.upper_starts.data(), p.upper_rows.data(), values.data(), nullptr, nullptr, nullptr,
              p.rows.data(), p.columns.data(), nullptr, p.blocks.data(), common_);
  p.blocks.resize(std::size_t(symbolic_->nblocks) + 1);
  return p;
}

// Which ordering fills less shows when both are tried, once, on a matrix that is worth it: minimum degree of A + A', for what is nearly
// symmetric, or that of A'A.
void choose_ordering(SparseSystem& system) {
  SparseSystem::Factors& f = *system.factors;
  f.has_ordering = true;
  if (!(f.symbolic->est_flops > worth_ordering)) return;
  klu_common common = f.common;
  common.ordering = 1;
  klu_symbolic* symbolic = klu_analyze(int(system.pattern.n), system.pattern.starts.data(), system.pattern.rows.data(), &common);
  const Chosen other(system, symbolic, common);
  if (other.succeeded() && other.operations() < f.operations) {
    std::swap(symbolic, f.symbolic);
    f.operations = other.operations();
    f.pivots.emplace(system.pattern, other.pivots());
  }
  klu_free_symbolic(&symbolic, &common);
}

}  // namespace

double factorisation_cost(SparseSystem& system) {
  return system.factors->pivots ? system.factors->operations : std::numeric_limits<double>::infinity();
}

Factorised factorise(SparseSystem& system, double least_condition) {
  SparseSystem::Factors& f = *system.factors;
  const double* const values = system.values.data();
  const auto is_regular = [&] { return f.pivots->factorise(values) && f.pivots->condition() > least_condition; };
  if (f.pivots && is_regular() && f.pivots->growth() >= growth_kept * f.growth) return Factorised::with_known_pivots;
  f.pivots.reset();
  if (f.symbolic == nullptr) f.symbolic = klu_analyze(int(system.pattern.n), system.pattern.starts.data(), system.pattern.rows.data(), &f.common);
  if (f.symbolic == nullptr) return Factorised::singular;
  Pivots pivots;
  {
    const Chosen chosen(system, f.symbolic, f.common);
    if (!chosen.succeeded()) return Factorised::singular;
    f.operations = chosen.operations();
    pivots = chosen.pivots();
  }
  f.pivots.emplace(system.pattern, std::move(pivots));
  if (!f.has_ordering) choose_ordering(system);
  if (!is_regular()) {
    f.pivots.reset();
    return Factorised::singular;
  }
  f.growth = f.pivots->growth();
  return Factorised::with_new_pivots;
}

void solve(SparseSystem& system, double* right_side) {
  if (system.factors->pivots) system.factors->pivots->solve(right_side);
}

}  // namespace mosim::runtime
