// Sparse systems whose values change satisfy their equations, whatever their blocks, the sizes of their rows and their pivots are.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "runtime/sparse.hpp"

using namespace mosim::runtime;

namespace {

enum class Shape { whole, stairs, triangle };   // one block, blocks of 7 with entries above them, blocks of 1

struct RandomSystem {
  std::mt19937 random;
  SparseSystem system;
  std::vector<double> row_size;

  RandomSystem(std::size_t n, Shape shape) : random(static_cast<unsigned>(n)), system(pattern(n, shape, random)) {
    for (std::size_t i = 0; i < n; ++i) row_size.push_back(std::pow(10.0, double(i % 5) * 3 - 6));
  }

  static Pattern pattern(std::size_t n, Shape shape, std::mt19937& random) {
    const std::size_t block = shape == Shape::whole ? n : shape == Shape::stairs ? 7 : 1;
    std::vector<std::uint32_t> row(n), column(n);
    for (std::uint32_t k = 0; k < n; ++k) row[k] = column[k] = k;
    std::shuffle(row.begin(), row.end(), random);
    std::shuffle(column.begin(), column.end(), random);
    std::vector<Dependence> entries;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t first = j / block * block, last = std::min(n, first + block);
      entries.push_back({row[j], column[j]});
      entries.push_back({row[first + (j + 1 - first) % (last - first)], column[j]});
      for (int k = 0; k < 2; ++k) entries.push_back({row[random() % last], column[j]});
    }
    return make_pattern(n, entries, false);
  }

  double number() { return double(random() % 2001) / 1000 - 1; }

  void change() {
    for (std::size_t k = 0; k < system.values.size(); ++k) system.values[k] = number() * row_size[std::size_t(system.pattern.rows[k])];
  }

  /// What the solution for a random right side leaves over, the worst equation's, beside the terms of that.
  double misfit() {
    const std::size_t n = system.pattern.n;
    std::vector<double> right(n), solution, size(n);
    for (std::size_t i = 0; i < n; ++i) {
      right[i] = number() * row_size[i];
      size[i] = std::abs(right[i]);
    }
    solution = right;
    solve(system, solution.data());
    for (std::size_t j = 0; j < n; ++j)
      for (auto k = std::size_t(system.pattern.starts[j]); k < std::size_t(system.pattern.starts[j + 1]); ++k) {
        const double term = system.values[k] * solution[j];
        right[std::size_t(system.pattern.rows[k])] -= term;
        size[std::size_t(system.pattern.rows[k])] += std::abs(term);
      }
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (const double part = std::abs(right[i]) / size[i]; !(part <= worst)) worst = part;   // NaN must not get lost
    return worst;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse)

BOOST_AUTO_TEST_CASE(values_that_change) {
  for (const Shape shape : {Shape::whole, Shape::stairs, Shape::triangle})
    for (const std::size_t n : {1, 8, 60, 301}) {
      RandomSystem s(n, shape);
      std::size_t solved = 0;
      for (int k = 0; k < 20; ++k) {
        s.change();
        if (factorise(s.system) == Factorised::singular) continue;   // entries that are 0
        BOOST_TEST(s.misfit() < 1e-12);
        ++solved;
      }
      BOOST_TEST(solved >= 15u);
    }
}

BOOST_AUTO_TEST_CASE(pivots_are_kept_while_they_are_good) {
  for (const Shape shape : {Shape::whole, Shape::stairs, Shape::triangle})
    for (const std::size_t n : {8, 60, 301}) {
      RandomSystem s(n, shape);
      do s.change();
      while (factorise(s.system) != Factorised::with_new_pivots);
      for (int k = 0; k < 10; ++k) {
        for (double& value : s.system.values) value *= 1 + 0.01 * s.number();
        BOOST_TEST((factorise(s.system) == Factorised::with_known_pivots));
        BOOST_TEST(s.misfit() < 1e-12);
      }
    }
}

// A column without entries that are not 0, a number that is none, and what the same system gives once that is over.
BOOST_AUTO_TEST_CASE(singular_and_back) {
  for (const Shape shape : {Shape::whole, Shape::stairs, Shape::triangle})
    for (const std::size_t n : {8, 60, 301})
      for (const double wrong : {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        RandomSystem s(n, shape);
        do s.change();
        while (factorise(s.system) == Factorised::singular);
        const std::vector<double> good = s.system.values;
        for (auto k = std::size_t(s.system.pattern.starts[n / 2]); k < std::size_t(s.system.pattern.starts[n / 2 + 1]); ++k) s.system.values[k] = wrong;
        BOOST_TEST((factorise(s.system) == Factorised::singular));
        std::vector<double> right(n, 1.0);
        solve(s.system, right.data());   // whatever comes out
        s.system.values = good;
        BOOST_TEST((factorise(s.system) == Factorised::with_new_pivots));
        BOOST_TEST(s.misfit() < 1e-12);
      }
}

// Each column has the first colour that no column before it with a row in common has: by looking at them all, where rows are short, full, and where
// all columns have one row in common.
BOOST_AUTO_TEST_CASE(colours) {
  for (const std::uint32_t n : {1u, 40u, 63u, 64u, 65u, 200u})
    for (const std::uint32_t each : {1u, 3u, 20u, n}) {
      std::vector<Dependence> entries;
      std::uint32_t turn = 7;
      for (std::uint32_t column = 0; column < n; ++column) {
        for (std::uint32_t k = 0; k < each; ++k) entries.push_back({each == n ? k : (turn = turn * 1103515245 + 12345) / 65536 % n, column});
        if (each == 3 && n == 200) entries.push_back({17, column});
      }
      const Pattern pattern = make_pattern(n, entries, true);
      const Colouring found = colour(pattern);
      const auto rows = [&](std::uint32_t column) { return std::set<std::int32_t>(pattern.rows.begin() + pattern.starts[column], pattern.rows.begin() + pattern.starts[column + 1]); };
      std::uint32_t colours = 0;
      for (std::uint32_t column = 0; column < n; ++column) {
        std::set<std::uint32_t> taken;
        const std::set<std::int32_t> own = rows(column);
        for (std::uint32_t other = 0; other < column; ++other)
          for (const std::int32_t row : rows(other))
            if (own.count(row)) taken.insert(found.colour[other]);
        std::uint32_t first = 0;
        while (taken.count(first)) ++first;
        BOOST_REQUIRE(found.colour[column] == first);
        colours = std::max(colours, first + 1);
      }
      BOOST_TEST(found.colours == colours);
    }
}

BOOST_AUTO_TEST_SUITE_END()
