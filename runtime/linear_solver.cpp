#include "runtime/linear_solver.hpp"

#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "runtime/dense.hpp"

namespace mosim::runtime {

namespace {

// The types of what these return have changed between the versions of SUNDIALS.
using Status = decltype(SUNLinSolFree(nullptr));
constexpr int singular = 1;   // another step may do
constexpr double any_pivot = 0;   // long steps of stiff motions make all but singular matrices, in which what is conserved is far smaller than the rest

bool set_up(DenseMatrix& m, SUNMatrix matrix) {
  std::copy_n(SUNDenseMatrix_Data(matrix), m.n * m.n, m.values.begin());
  return factorise(m, any_pivot) == m.n;
}

/// What a chain of loops makes of its states is nearly full, though what is far away hardly counts: without it the matrix is narrow.
class ThinnedSystem {
public:
  ThinnedSystem(const Pattern& pattern, Weights weights)
      : whole_(pattern), weights_(std::move(weights)), may_thin_(weights_ && pattern.rows.size() > worth_thinning * pattern.n) {}

  bool set_up(const double* values);
  void solve(double* right_side) { runtime::solve(in_use(), right_side); }
  std::size_t size() const { return whole_.pattern.n; }
  std::size_t entries() { return in_use().values.size(); }

private:
  static constexpr std::size_t worth_thinning = 16;   // entries of a column
  static constexpr double most_left_out = 1e-6;       // of a row, as a part of what the states weigh: far below where a corrector is believed
  static constexpr double margin = 0.01;              // what is kept is smaller by this: the matrix may grow, as it does with the step
  static constexpr double largest_entry = 1e3;        // what counts much more than the weights say would make something of what is left out
  static constexpr int most_changes = 30;             // of what is left out; more of them are no growing step

  SparseSystem& in_use() { return thin_ ? *thin_ : whole_; }
  void choose(const double* values);
  void use_whole(bool for_good) {
    thin_.reset();
    may_thin_ = may_thin_ && !for_good;
  }
  std::unique_ptr<SparseSystem> narrow(const std::vector<double>& sizes, double least);

  SparseSystem whole_;
  Weights weights_;
  bool may_thin_;
  std::unique_ptr<SparseSystem> thin_;    // none: the whole is used
  std::vector<char> kept_;                // of the entries of the whole
  std::vector<std::size_t> entries_;      // of the thin one in the whole
  std::vector<double> weight_, size_;     // of the unknowns; of the entries, in errors that count
  int changes_ = 0;
};

/// Decides for these values what is left out, if anything.
void ThinnedSystem::choose(const double* values) {
  const Pattern& pattern = whole_.pattern;
  weight_.resize(pattern.n);
  weights_(weight_.data());
  size_.resize(pattern.rows.size());
  double largest = 1;
  for (std::size_t column = 0; column < pattern.n; ++column)
    for (auto k = std::size_t(pattern.starts[column]); k < std::size_t(pattern.starts[column + 1]); ++k) {
      const auto row = std::size_t(pattern.rows[k]);
      size_[k] = row == column ? std::numeric_limits<double>::infinity() : std::abs(values[k]) * weight_[row] / weight_[column];
      if (row != column) largest = std::max(largest, size_[k]);
    }
  if (!(largest <= largest_entry)) return use_whole(false);
  // What is left out may meet entries of its column and its row that are as large as the largest: a loop of two states whose nominal values
  // are off is a large and a tiny one.
  const double most = most_left_out / (double(pattern.n) * largest * largest);
  bool enough = thin_ != nullptr;
  for (std::size_t k = 0; enough && k < size_.size(); ++k) enough = kept_[k] || size_[k] <= most;
  if (enough) return;
  if (++changes_ > most_changes) return use_whole(true);
  thin_ = narrow(size_, margin * most);
}

/// Of the entries that are larger, and those that are kept already; none if that is most of them.
std::unique_ptr<SparseSystem> ThinnedSystem::narrow(const std::vector<double>& sizes, double least) {
  const Pattern& pattern = whole_.pattern;
  if (!thin_) kept_.assign(sizes.size(), 0);
  entries_.clear();
  Pattern less;
  less.n = pattern.n;
  less.starts.push_back(0);
  for (std::size_t column = 0; column < pattern.n; ++column) {
    for (auto k = std::size_t(pattern.starts[column]); k < std::size_t(pattern.starts[column + 1]); ++k) {
      if (!kept_[k] && sizes[k] <= least) continue;   // what is no number is kept
      kept_[k] = 1;
      entries_.push_back(k);
      less.rows.push_back(pattern.rows[k]);
    }
    less.starts.push_back(std::int32_t(less.rows.size()));
  }
  return 2 * entries_.size() < sizes.size() ? std::make_unique<SparseSystem>(std::move(less)) : nullptr;
}

bool ThinnedSystem::set_up(const double* values) {
  if (may_thin_) choose(values);
  if (thin_) {
    for (std::size_t k = 0; k < entries_.size(); ++k) thin_->values[k] = values[entries_[k]];
    if (factorise(*thin_, any_pivot) != Factorised::singular) return true;
    use_whole(true);
  }
  std::copy_n(values, whole_.values.size(), whole_.values.begin());
  return factorise(whole_, any_pivot) != Factorised::singular;
}

bool set_up(ThinnedSystem& s, SUNMatrix matrix) { return s.set_up(SUNSparseMatrix_Data(matrix)); }
void solve(ThinnedSystem& s, double* right_side) { s.solve(right_side); }

std::size_t size(const DenseMatrix& m) { return m.n; }
std::size_t size(const ThinnedSystem& s) { return s.size(); }

template <class System>
System& content(SUNLinearSolver solver) { return *static_cast<System*>(solver->content); }

template <class System>
LinearSolver make_solver(std::unique_ptr<System> system, const Context& context) {
  LinearSolver result(SUNLinSolNewEmpty(context.get()));
  if (!result) throw std::bad_alloc();
  result->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  result->ops->setup = [](SUNLinearSolver solver, SUNMatrix matrix) { return set_up(content<System>(solver), matrix) ? 0 : singular; };
  result->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector right_side, Real) {
    System& system = content<System>(solver);
    if (x != right_side) std::copy_n(data(right_side), size(system), data(x));
    solve(system, data(x));
    return 0;
  };
  result->ops->free = [](SUNLinearSolver solver) {
    delete static_cast<System*>(solver->content);
    solver->content = nullptr;
    SUNLinSolFreeEmpty(solver);
    return Status(0);
  };
  result->content = system.release();
  return result;
}

}  // namespace

LinearSolver make_dense_solver(std::size_t n, const Context& context) { return make_solver(std::make_unique<DenseMatrix>(make_dense(n)), context); }

LinearSolver make_sparse_solver(const Pattern& pattern, const Context& context, Weights weights) {
  return make_solver(std::make_unique<ThinnedSystem>(pattern, std::move(weights)), context);
}

std::size_t entries_in_use(const LinearSolver& sparse) { return content<ThinnedSystem>(sparse.get()).entries(); }

}  // namespace mosim::runtime
