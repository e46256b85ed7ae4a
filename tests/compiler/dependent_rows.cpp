// Dependencies between rows of exact numbers. The rank they must agree with is computed here, by elimination modulo a prime.

#include <boost/test/unit_test.hpp>
#include <random>

#include "compiler/analyse/dependent_rows.hpp"
#include "compiler/analyse/linear_terms.hpp"

using namespace mosim::compiler::dae;

namespace {

constexpr std::int64_t prime = 1'000'000'007;

std::int64_t power(std::int64_t b, std::int64_t e) {
  std::int64_t result = 1;
  for (b = (b % prime + prime) % prime; e > 0; e /= 2, b = b * b % prime)
    if (e % 2) result = result * b % prime;
  return result;
}
std::int64_t residue(Rational r) { return ((r.numerator % prime + prime) % prime) * power(r.denominator, prime - 2) % prime; }

std::size_t rank(const std::vector<SparseRow>& rows, std::size_t columns) {
  std::vector<std::vector<std::int64_t>> m(rows.size(), std::vector<std::int64_t>(columns, 0));
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const RowEntry& e : rows[r]) m[r][e.column] = residue(e.value);
  std::size_t found = 0;
  for (std::size_t c = 0; c < columns && found < m.size(); ++c) {
    std::size_t p = found;
    while (p < m.size() && m[p][c] == 0) ++p;
    if (p == m.size()) continue;
    std::swap(m[p], m[found]);
    const std::int64_t inverse = power(m[found][c], prime - 2);
    for (std::size_t r = 0; r < m.size(); ++r) {
      if (r == found || m[r][c] == 0) continue;
      const std::int64_t f = m[r][c] * inverse % prime;
      for (std::size_t k = c; k < columns; ++k) m[r][k] = (m[r][k] + (prime - f) * m[found][k]) % prime;
    }
    ++found;
  }
  return found;
}

bool is_zero(const std::vector<SparseRow>& rows, const Dependency& d) {
  SparseRow sum;
  for (const RowEntry& e : d) sum = *combine(sum, rows[e.column], e.value);
  return sum.empty();
}

void check(const std::vector<SparseRow>& rows, std::size_t columns) {
  const auto found = find_dependencies(rows, columns, 1'000'000'000);
  BOOST_TEST(found.size() == rows.size() - rank(rows, columns));
  for (const Dependency& d : found) {
    BOOST_TEST(!d.empty());
    BOOST_TEST(is_zero(rows, d));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dependent_rows)

BOOST_AUTO_TEST_CASE(two_rows) {
  const std::vector<SparseRow> rows{{{0, {1, 1}}, {1, {1, 1}}}, {{0, {2, 1}}, {1, {2, 1}}}};
  const auto found = find_dependencies(rows, 2, 1000);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(is_zero(rows, found[0]));
  BOOST_TEST(find_dependencies({{{0, {1, 1}}, {1, {1, 1}}}, {{0, {2, 1}}, {1, {3, 1}}}}, 2, 1000).empty());
}

BOOST_AUTO_TEST_CASE(an_empty_row_depends_on_nothing_else) {
  const auto found = find_dependencies({{{0, {1, 1}}}, {}}, 1, 1000);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_REQUIRE(found[0].size() == 1u);
  BOOST_TEST(found[0][0].column == 1u);
}

BOOST_AUTO_TEST_CASE(random_rows_with_combinations_among_them) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t columns = 1 + random() % 12, count = 1 + random() % 12;
    std::vector<SparseRow> rows;
    for (std::size_t r = 0; r < count; ++r) {
      SparseRow row;
      if (r > 1 && random() % 3 == 0) {   // of two before it
        row = *combine(rows[random() % r], rows[random() % r], {static_cast<std::int64_t>(random() % 5) - 2, 1 + static_cast<std::int64_t>(random() % 3)});
      } else {
        for (std::uint32_t c = 0; c < columns; ++c)
          if (random() % 3 == 0)
            if (const std::int64_t v = static_cast<std::int64_t>(random() % 7) - 3; v != 0) row.push_back({c, *Rational::of(v, 1 + random() % 4)});
      }
      rows.push_back(std::move(row));
    }
    check(rows, columns);
  }
}

// The sums at the nodes of a connected graph add up to nothing: one dependency, of all nodes, whatever the graph.
BOOST_AUTO_TEST_CASE(nodes_of_graphs) {
  std::mt19937 random(2);
  for (const std::uint32_t nodes : {2u, 3u, 10u, 50u, 200u}) {
    std::vector<SparseRow> rows(nodes);
    std::uint32_t edges = 0;
    const auto edge = [&](std::uint32_t p, std::uint32_t q) {
      rows[p].push_back({edges, {1, 1}});
      rows[q].push_back({edges, {-1, 1}});
      ++edges;
    };
    for (std::uint32_t k = 1; k < nodes; ++k) edge(random() % k, k);
    for (std::uint32_t k = 0; k < nodes; ++k)
      if (const std::uint32_t p = random() % nodes, q = random() % nodes; p != q) edge(p, q);
    const auto found = find_dependencies(rows, edges, 1'000'000'000);
    BOOST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].size() == nodes);
    BOOST_TEST(is_zero(rows, found[0]));
  }
}

BOOST_AUTO_TEST_CASE(numbers_too_large_are_not_told_of) {
  const std::int64_t big = 4'000'000'000'000'000'000;
  const std::vector<SparseRow> rows{{{0, {big, 3}}, {1, {1, 1}}}, {{0, {big, 7}}, {1, {big, 1}}}, {{0, {5, big}}, {1, {big, 11}}}};
  BOOST_CHECK_NO_THROW((void)find_dependencies(rows, 2, 1000));
}

// Rows with a column of their own cost nothing: n equations of a chain and n of a ring, within the budget of a few.
BOOST_AUTO_TEST_CASE(growth) {
  for (const std::uint32_t n : {1000u, 100000u}) {
    std::vector<SparseRow> rows;
    for (std::uint32_t k = 0; k < n; ++k) rows.push_back({{k, {1, 1}}, {k + 1, {-1, 1}}});
    BOOST_TEST(find_dependencies(rows, n + 1, 1).empty());
    for (std::uint32_t k = 0; k < n; ++k) rows[k] = k + 1 < n ? SparseRow{{k, {1, 1}}, {k + 1, {-1, 1}}} : SparseRow{{0, {-1, 1}}, {k, {1, 1}}};
    BOOST_TEST(find_dependencies(rows, n, 40 * std::size_t{n}).size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(decimal_numbers_are_taken_as_written) {
  BOOST_TEST((exact(0.1) == Rational{1, 10}));
  BOOST_TEST((exact(-2.5e-3) == Rational{-1, 400}));
  BOOST_TEST((exact(3) == Rational{3, 1}));
  BOOST_TEST((exact(1e10) == Rational{10'000'000'000, 1}));
  BOOST_TEST((exact(0) == Rational{0, 1}));
  BOOST_TEST(!exact(1e300).has_value());
  BOOST_TEST(!exact(1e-300).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
