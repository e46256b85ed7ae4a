// Dense matrices of any rank: what complete pivoting leaves is solved whatever rows and columns it exchanged.

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "runtime/dense.hpp"

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

}  // namespace

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
