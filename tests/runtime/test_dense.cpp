// Dense matrices: factors by panels beside those by columns, and of any rank, where what complete pivoting leaves is solved whatever rows and columns it
// exchanged.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/dense.hpp"
#include "runtime/wide.hpp"

using namespace mosim::runtime;

BOOST_AUTO_TEST_SUITE(dense)

namespace {

/// n x n of this rank: a product of two factors with entries of all sizes, so that every pivot is somewhere else.
DenseMatrix of_rank(std::size_t n, std::size_t rank, std::minstd_rand& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  std::vector<double> left(n * rank), right(rank * n);
  for (double& v : left) v = entry(random);
  for (double& v : right) v = entry(random);
  DenseMatrix matrix = make_dense(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < rank; ++k) matrix.at(i, j) += left[i * rank + k] * right[k * n + j];
  return matrix;
}

std::vector<double> product(const DenseMatrix& matrix, const std::vector<double>& x) {
  std::vector<double> result(matrix.n, 0.0);
  for (std::size_t i = 0; i < matrix.n; ++i)
    for (std::size_t j = 0; j < matrix.n; ++j) result[i] += matrix.at(i, j) * x[j];
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0;
  for (std::size_t k = 0; k < a.size(); ++k) result = std::max(result, std::abs(a[k] - b[k]));
  return result;
}

/// The same pivots and sums, entry by entry and column by column (Golub and Van Loan, algorithm 3.4.1, with rows by their largest entries).
void factorise_by_columns(DenseMatrix& m) {
  for (std::size_t i = 0; i < m.n; ++i) {
    m.row_scale[i] = 0;
    for (std::size_t j = 0; j < m.n; ++j) m.row_scale[i] = std::max(m.row_scale[i], std::abs(m.at(i, j)));
  }
  for (std::size_t k = 0; k < m.n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < m.n; ++i)
      if (std::abs(m.at(i, k)) / m.row_scale[i] > std::abs(m.at(pivot, k)) / m.row_scale[pivot]) pivot = i;
    m.pivots[k] = pivot;
    for (std::size_t j = 0; j < m.n; ++j)
      if (pivot != k) std::swap(m.at(k, j), m.at(pivot, j));
    std::swap(m.row_scale[k], m.row_scale[pivot]);
    const double inverse = 1 / m.at(k, k);
    for (std::size_t i = k + 1; i < m.n; ++i) m.at(i, k) *= inverse;
    for (std::size_t j = k + 1; j < m.n; ++j)
      for (std::size_t i = k + 1; i < m.n; ++i) m.at(i, j) -= m.at(i, k) * m.at(k, j);
  }
}

}  // namespace

// Sizes on both sides of a panel's columns (48) and of a strip's rows (256), and of what four columns leave.
BOOST_AUTO_TEST_CASE(factors_by_panels_are_those_by_columns) {
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (const std::size_t n : {1, 2, 5, 47, 48, 49, 53, 97, 144, 303, 310, 607}) {
    DenseMatrix matrix = make_dense(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) matrix.at(i, j) = entry(random) * std::pow(10, double(i % 9) - 4);
    std::vector<double> some(n);
    for (double& v : some) v = entry(random);
    const std::vector<double> right_side = product(matrix, some);
    DenseMatrix by_panels = matrix, by_columns = matrix;
    BOOST_TEST_REQUIRE(factorise(by_panels) == n);
    factorise_by_columns(by_columns);
    BOOST_TEST((by_panels.pivots == by_columns.pivots), "n = " << n);
    BOOST_TEST((by_panels.values == by_columns.values), "n = " << n);   // to the last bit, in whatever registers
    std::vector<double> x = right_side;
    solve(by_panels, x.data());
    const std::vector<double> left_side = product(matrix, x);
    for (std::size_t i = 0; i < n; ++i) {
      double size = 0;
      for (std::size_t j = 0; j < n; ++j) size += std::abs(matrix.at(i, j) * x[j]);
      BOOST_TEST(std::abs(left_side[i] - right_side[i]) <= 1e-12 * size, "n = " << n << ", row " << i);
    }
  }
}

// ctest runs these tests once more with registers taken away (CMakeLists.txt).
BOOST_AUTO_TEST_CASE(registers_are_those_that_are_left) {
  const char* const most = std::getenv("MOSIM_MOST_REGISTERS");
  if (!most) return;   // none was taken away
  BOOST_TEST((std::string_view(most) == "avx2" ? registers <= Registers::avx2 : registers == Registers::usual));
}

BOOST_AUTO_TEST_CASE(whatever_the_rank_equations_that_agree_are_solved) {
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (const std::size_t n : {1, 2, 3, 5, 8, 13, 24})
    for (std::size_t rank = 0; rank <= n; ++rank)
      for (int again = 0; again < 5; ++again) {
        const DenseMatrix matrix = of_rank(n, rank, random);
        std::vector<double> some(n);
        for (double& v : some) v = entry(random);
        const std::vector<double> right_side = product(matrix, some);
        DenseMatrix factors = matrix;
        std::vector<std::size_t> columns;
        BOOST_TEST_REQUIRE(factorise_completely(factors, columns) == rank, "n = " << n << ", rank " << rank);
        std::vector<double> x = right_side;
        BOOST_TEST(solve_completely(factors, rank, columns, x.data()) < 1e-11, "n = " << n << ", rank " << rank);
        BOOST_TEST(largest_difference(product(matrix, x), right_side) < 1e-9, "n = " << n << ", rank " << rank);
        for (std::size_t k = rank; k < n; ++k) BOOST_TEST(x[columns[k]] == 0);
      }
}

// With one right side off, no unknowns make all equations hold, and one is told so.
BOOST_AUTO_TEST_CASE(equations_that_contradict_each_other_are_told) {
  std::minstd_rand random(11);
  for (const std::size_t n : {2, 5, 13}) {
    DenseMatrix matrix = of_rank(n, n - 1, random);
    std::vector<double> right_side = product(matrix, std::vector<double>(n, 1.0));
    right_side[n / 2] += 1;
    std::vector<std::size_t> columns;
    const std::size_t rank = factorise_completely(matrix, columns);
    BOOST_TEST(rank == n - 1);
    BOOST_TEST(solve_completely(matrix, rank, columns, right_side.data()) > 1e-3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
