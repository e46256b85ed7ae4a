// What SUNDIALS works with: vectors of states, whose operations are SUNDIALS' own bit by bit, and linear solvers for its matrices.

#include <boost/test/unit_test.hpp>

#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "runtime/linear_solver.hpp"
#include "runtime/sundials.hpp"

using namespace mosim::runtime;

BOOST_AUTO_TEST_SUITE(linear_solver)

namespace {

struct Random {
  std::minstd_rand engine{11};
  std::uniform_real_distribution<double> entry{-1, 1};
  double operator()() { return entry(engine) * std::pow(10.0, 8 * entry(engine)); }
};

/// Full, or tridiagonal with a long row and column.
Pattern pattern_of(std::size_t n, bool full) {
  std::vector<Dependence> entries;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      if (full || i == 0 || j == 0 || (i > j ? i - j : j - i) <= 1) entries.push_back({i, j});
  return make_pattern(n, entries, true);
}

double residual_after(const Pattern& pattern, bool dense, Random& random, bool singular) {
  const std::size_t n = pattern.n;
  const Context context = make_context();
  Matrix matrix(dense ? SUNDenseMatrix(sunindextype(n), sunindextype(n), context.get())
                      : SUNSparseMatrix(sunindextype(n), sunindextype(n), sunindextype(pattern.rows.size()), CSC_MAT, context.get()));
  const LinearSolver solver = dense ? make_dense_solver(n, context) : make_sparse_solver(pattern, context);
  const Vector x = make_vector(n, context), b = make_vector(n, context);
  double worst = 0;
  for (int again = 0; again < 3; ++again) {   // the second time with pivots that are known
    std::vector<double> full(n * n, 0.0);
    for (std::size_t j = 0, k = 0; j < n; ++j)
      for (; k < std::size_t(pattern.starts[j + 1]); ++k) {
        const auto i = std::size_t(pattern.rows[k]);
        const double value = singular && i == n - 1 ? 0 : random.entry(random.engine) + (i == j ? 3.0 : 0.0);
        full[j * n + i] = value;
        if (dense) SUNDenseMatrix_Column(matrix.get(), sunindextype(j))[i] = value;
        else SUNSparseMatrix_Data(matrix.get())[k] = value;
      }
    if (SUNLinSolSetup(solver.get(), matrix.get()) != 0) return -1;
    for (std::size_t i = 0; i < n; ++i) data(b)[i] = random.entry(random.engine);
    BOOST_TEST(SUNLinSolSolve(solver.get(), matrix.get(), x.get(), b.get(), 0) == 0);
    for (std::size_t i = 0; i < n; ++i) {
      double rest = -data(b)[i];
      for (std::size_t j = 0; j < n; ++j) rest += full[j * n + i] * data(x)[j];
      worst = std::max(worst, std::abs(rest));
    }
  }
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_of_vectors_have_the_bits_of_sundials) {
  Random random;
  const Context context = make_context();
  for (const std::size_t n : {1u, 7u, 63u, 64u, 65u, 1000u}) {
    const Vector x = make_vector(n, context), y = make_vector(n, context), z = make_vector(n, context);
    std::vector<double> storage(n);
    const Vector view = make_view(n, storage.data(), context);
    const Vector expected(N_VNew_Serial(sunindextype(n), context.get()));
    for (std::size_t k = 0; k < n; ++k) data(x)[k] = random(), data(y)[k] = random();
    for (const double a : {1.0, -1.0, 0.3, -0.3, 2.5})
      for (const double b : {1.0, -1.0, 0.3, -0.3, 2.5}) {
        N_VLinearSum_Serial(a, x.get(), b, y.get(), expected.get());
        N_VLinearSum(a, x.get(), b, y.get(), z.get());
        N_VLinearSum(a, x.get(), b, y.get(), view.get());
        for (std::size_t k = 0; k < n; ++k) BOOST_TEST_REQUIRE((data(z)[k] == data(expected)[k] && storage[k] == data(expected)[k]), n << ": " << a << " x + " << b << " y");
        // In the place of an operand.
        N_VScale(1, y.get(), z.get());
        N_VLinearSum(a, x.get(), b, z.get(), z.get());
        for (std::size_t k = 0; k < n; ++k) BOOST_TEST_REQUIRE(data(z)[k] == data(expected)[k]);
      }
    // What is cloned from one has the same operations.
    const Vector clone(N_VClone(x.get()));
    BOOST_TEST((clone->ops->nvlinearsum == x->ops->nvlinearsum && clone->ops->nvwrmsnorm == x->ops->nvwrmsnorm));
    N_VConst(0.25, clone.get());
    const double mine = N_VWrmsNorm(x.get(), clone.get()), theirs = N_VWrmsNorm_Serial(x.get(), clone.get());
    BOOST_TEST(std::abs(mine - theirs) <= (n < 64 ? 0 : 1e-14 * theirs), n << ": " << mine << " and " << theirs);
  }
}

BOOST_AUTO_TEST_CASE(full_and_sparse_systems_are_solved) {
  Random random;
  for (const std::size_t n : {1u, 2u, 41u, 100u, 300u}) {
    BOOST_TEST(residual_after(pattern_of(n, true), true, random, false) < 1e-10 * double(n * n), "full, n = " << n);
    BOOST_TEST(residual_after(pattern_of(n, true), false, random, false) < 1e-10 * double(n * n), "full by the sparse one, n = " << n);
    BOOST_TEST(residual_after(pattern_of(n, false), false, random, false) < 1e-10 * double(n * n), "sparse, n = " << n);
    BOOST_TEST(residual_after(pattern_of(n, true), true, random, true) == -1, "full and singular, n = " << n);
    BOOST_TEST(residual_after(pattern_of(n, false), false, random, true) == -1, "sparse and singular, n = " << n);
  }
}

// What is factorised full is full; where half of the rows have one entry, the other half alone is.
BOOST_AUTO_TEST_CASE(matrices_that_become_full_are_dense) {
  for (const std::size_t n : {60u, 120u, 240u}) {
    BOOST_TEST(!is_sparse(pattern_of(n, true)));
    BOOST_TEST(is_sparse(pattern_of(n, false)));
    std::vector<Dependence> speeds;   // x' = v, v' = f(x, v)
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        if (i % 2 == 1 || j == i + 1) speeds.push_back({i, j});
    BOOST_TEST(is_sparse(make_pattern(n, speeds, true)));
  }
  BOOST_TEST(!is_sparse(pattern_of(largest_dense, false)));
}

// Entries that fade with the distance, in units that differ by many orders of magnitude: what is left out counts for nothing beside the weights, and
// what counts is not left out, also where it comes later.
BOOST_AUTO_TEST_CASE(what_is_left_out_counts_for_nothing) {
  constexpr std::size_t n = 120;
  const Pattern pattern = pattern_of(n, true);
  const Context context = make_context();
  std::vector<double> unit(n);
  for (std::size_t i = 0; i < n; ++i) unit[i] = std::pow(10.0, int(i % 7) * 2 - 6);   // of an unknown: an error of so much counts
  Matrix matrix(SUNSparseMatrix(sunindextype(n), sunindextype(n), sunindextype(pattern.rows.size()), CSC_MAT, context.get()));
  const LinearSolver solver = make_sparse_solver(pattern, context, [&](double* weights) {
    for (std::size_t i = 0; i < n; ++i) weights[i] = 1 / unit[i];
  });
  const Vector x = make_vector(n, context), b = make_vector(n, context);
  // As a step grows: all but the diagonal small, a narrow band that widens, at last all of it; and small again.
  for (const double fading : {1e-9, 0.1, 0.3, 0.5, 0.6, 0.99, 0.2}) {
    std::vector<double> full(n * n);
    for (std::size_t j = 0, k = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i, ++k) {
        const double distance = std::abs(double(i) - double(j));
        full[j * n + i] = SUNSparseMatrix_Data(matrix.get())[k] = (i == j ? double(n) : std::pow(fading, distance)) * unit[i] / unit[j];
      }
    BOOST_TEST(SUNLinSolSetup(solver.get(), matrix.get()) == 0);
    for (std::size_t i = 0; i < n; ++i) data(b)[i] = unit[i] * (i % 2 ? 1.0 : -1.5);
    BOOST_TEST(SUNLinSolSolve(solver.get(), matrix.get(), x.get(), b.get(), 0) == 0);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double rest = -data(b)[i];
      for (std::size_t j = 0; j < n; ++j) rest += full[j * n + i] * data(x)[j];
      worst = std::max(worst, std::abs(rest) / unit[i]);
    }
    BOOST_TEST_CONTEXT("fading " << fading) {
      BOOST_TEST(worst < 1e-6);
      if (fading < 0.55) BOOST_TEST(2 * entries_in_use(solver) < pattern.rows.size());
      if (fading > 0.9) BOOST_TEST(entries_in_use(solver) == pattern.rows.size());
    }
  }
}

// Two states whose nominal values are off by many orders of magnitude: a large entry and a tiny one are a loop all the same.
BOOST_AUTO_TEST_CASE(a_tiny_entry_that_meets_a_large_one_stays) {
  constexpr std::size_t n = 60;
  const Pattern pattern = pattern_of(n, true);
  const Context context = make_context();
  Matrix matrix(SUNSparseMatrix(sunindextype(n), sunindextype(n), sunindextype(pattern.rows.size()), CSC_MAT, context.get()));
  const Vector x = make_vector(n, context), b = make_vector(n, context);
  for (const double large : {1e2, 1e5, 1e12}) {
    const LinearSolver solver = make_sparse_solver(pattern, context, [](double* weights) { std::fill_n(weights, n, 1.0); });   // which keeps what it kept
    // Pairs of states: x + large*y = 1, y - x/large = 0.
    std::vector<double> full(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) full[i * n + i] = 1;
    for (std::size_t i = 0; i < n; i += 2) full[(i + 1) * n + i] = large, full[i * n + i + 1] = -1 / large;
    std::copy(full.begin(), full.end(), SUNSparseMatrix_Data(matrix.get()));
    BOOST_TEST(SUNLinSolSetup(solver.get(), matrix.get()) == 0);
    for (std::size_t i = 0; i < n; ++i) data(b)[i] = i % 2 ? 0 : 1;
    BOOST_TEST(SUNLinSolSolve(solver.get(), matrix.get(), x.get(), b.get(), 0) == 0);
    for (std::size_t i = 0; i < n; i += 2) BOOST_TEST(data(x)[i] == 0.5, boost::test_tools::tolerance(1e-4));   // without the tiny one: 1
  }
}

BOOST_AUTO_TEST_SUITE_END()
