#include "runtime/linear_solver.hpp"

#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
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
struct ThinnedSystem {
  ThinnedSystem(const Pattern& pattern, Weights given)
      : whole(pattern), weights(std::move(given)), may_thin(weights && pattern.rows.size() > worth_thinning * pattern.n), kept(may_thin ? pattern.rows.size() : 0) {}

  static constexpr std::size_t worth_thinning = 16;   // entries of a column
  static constexpr double most_left_out = 1e-6;       // of a row, as a part of what the states weigh: far below where a corrector is believed
  static constexpr double margin = 0.01;              // what is kept is smaller by this: the matrix may grow, as it does with the step
  static constexpr double largest = 1e3;              // what counts much more than the weights say would make something of what is left out
  static constexpr int most_changes = 30;             // of what is left out; more of them are no growing step

  SparseSystem whole;
  Weights weights;
  bool may_thin;
  std::vector<char> kept;                 // of the entries of the whole
  std::unique_ptr<SparseSystem> thin;     // of these; none: the whole is used
  std::vector<std::size_t> entries;       // of the thin one in the whole
  std::vector<double> weight;
  int changes = 0;
};

/// Sets `thin`, or not, for these values.
void thin(ThinnedSystem& s, const double* values) {
  const Pattern& pattern = s.whole.pattern;
  s.weight.resize(pattern.n);
  s.weights(s.weight.data());
  const auto each = [&](auto visit) {
    for (std::size_t column = 0; column < pattern.n; ++column)
      for (auto k = std::size_t(pattern.starts[column]); k < std::size_t(pattern.starts[column + 1]); ++k)
        if (!visit(k, std::size_t(pattern.rows[k]), column)) return false;
    return true;
  };
  const auto size = [&](std::size_t k, std::size_t row, std::size_t column) { return std::abs(values[k]) * s.weight[row] / s.weight[column]; };
  // An entry that is left out may be met by others of its column and its row, each as large as the largest: a loop of two states whose
  // nominal values are off is a large and a tiny one.
  double largest = 1;
  each([&](std::size_t k, std::size_t row, std::size_t column) {
    if (row != column) largest = std::max(largest, size(k, row, column));
    return true;
  });
  if (!(largest <= ThinnedSystem::largest)) {
    s.thin.reset();
    return;
  }
  const double most = ThinnedSystem::most_left_out / (double(pattern.n) * largest * largest);
  if (s.thin && each([&](std::size_t k, std::size_t row, std::size_t column) { return s.kept[k] || size(k, row, column) <= most; })) return;
  if (++s.changes > ThinnedSystem::most_changes) {
    s.may_thin = false;
    s.thin.reset();
    return;
  }
  s.entries.clear();
  Pattern less;
  less.n = pattern.n;
  less.starts.assign(pattern.n + 1, 0);
  each([&](std::size_t k, std::size_t row, std::size_t column) {
    s.kept[k] = (s.thin && s.kept[k]) || row == column || !(size(k, row, column) <= ThinnedSystem::margin * most);
    if (s.kept[k]) {
      s.entries.push_back(k);
      less.rows.push_back(pattern.rows[k]);
      ++less.starts[column + 1];
    }
    return true;
  });
  for (std::size_t column = 0; column < pattern.n; ++column) less.starts[column + 1] += less.starts[column];
  const bool narrow = 2 * s.entries.size() < pattern.rows.size();
  s.thin = narrow ? std::make_unique<SparseSystem>(std::move(less)) : nullptr;
}

bool set_up(ThinnedSystem& s, SUNMatrix matrix) {
  const double* const values = SUNSparseMatrix_Data(matrix);
  if (s.may_thin) thin(s, values);
  if (s.thin) {
    for (std::size_t k = 0; k < s.entries.size(); ++k) s.thin->values[k] = values[s.entries[k]];
    if (factorise(*s.thin, any_pivot) != Factorised::singular) return true;
    s.may_thin = false;
    s.thin.reset();
  }
  std::copy_n(values, s.whole.values.size(), s.whole.values.begin());
  return factorise(s.whole, any_pivot) != Factorised::singular;
}
void solve(ThinnedSystem& s, double* right_side) { solve(s.thin ? *s.thin : s.whole, right_side); }

std::size_t size(const DenseMatrix& m) { return m.n; }
std::size_t size(const ThinnedSystem& s) { return s.whole.pattern.n; }

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

}  // namespace mosim::runtime
