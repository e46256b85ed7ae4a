// Which variables are to be states: the same as by a search for the largest pivot in all that is left, at each step.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "builder.hpp"
#include "runtime/state_sets.hpp"

using namespace mosim::test;

namespace {

using Rows = std::vector<std::vector<double>>;

/// The logarithm of the product of so many pivots, the largest among these columns each time; they are taken.
double pivots(Rows& a, std::vector<bool>& taken, std::size_t& step, std::size_t count, const std::vector<bool>& allowed) {
  double product = 0;
  for (; count > 0; --count, ++step) {
    double largest = 0;
    std::size_t row = step, column = 0;
    for (std::size_t i = step; i < a.size(); ++i)
      for (std::size_t j = 0; j < allowed.size(); ++j)
        if (allowed[j] && !taken[j] && std::abs(a[i][j]) > largest) largest = std::abs(a[i][j]), row = i, column = j;
    if (largest == 0) return -std::numeric_limits<double>::infinity();
    product += std::log(largest);
    taken[column] = true;
    std::swap(a[step], a[row]);
    for (std::size_t i = step + 1; i < a.size(); ++i) {
      const double factor = a[i][column] / a[step][column];
      for (std::size_t j = 0; j < allowed.size(); ++j) a[i][j] -= factor * a[step][j];
    }
  }
  return product;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_sets)

BOOST_AUTO_TEST_CASE(the_choice_is_that_of_the_largest_pivots) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::size_t(random() % n); };
  int changes = 0, stays = 0;
  for (int turn = 0; turn < 600; ++turn) {
    const std::size_t rows = turn % 3 == 0 ? 2 : turn % 3 == 1 ? 6 : 26, states = 1 + below(3), never = turn % 2 == 0 ? 0 : below(rows), columns = rows + states,
                      candidates = columns - never;
    Builder b;
    b.states(std::vector<std::string>(states, "x"));
    StateSet set;
    set.constraints = std::uint32_t(rows);
    set.never = std::uint32_t(never);
    set.nominal.assign(columns, 1.0);
    Rows a(rows, std::vector<double>(columns, 0.0));
    for (std::size_t i = 0; i < rows; ++i) {
      a[i][i] = 1;
      for (int k = 0; k < 2; ++k) a[i][below(columns)] = double(int(below(9)) - 4) / 2;   // many of one size
    }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) set.coefficients.push_back(b.slot(a[i][j]));
    std::vector<std::size_t> chosen(candidates);   // the states now: some of the candidates
    for (std::size_t j = 0; j < candidates; ++j) chosen[j] = j;
    std::shuffle(chosen.begin(), chosen.end(), random);
    chosen.resize(states);
    for (std::size_t i = 0; i < states; ++i)
      for (std::size_t j = 0; j < candidates; ++j) set.select.push_back(b.slot(j == chosen[i]));
    StateSet::Level level;
    for (std::uint32_t i = 0; i < states; ++i) level.states.push_back(b.x(i));
    for (std::size_t j = 0; j < candidates; ++j) level.candidates.push_back(b.slot());
    set.levels.push_back(level);
    b.p.state_sets.push_back(set);

    std::vector<bool> first(columns), present(columns, true), rest(columns);
    for (std::size_t j = 0; j < columns; ++j) first[j] = j < never, rest[j] = j >= never;
    for (std::size_t j = 0; j < never; ++j) present[j] = false;
    for (const std::size_t j : chosen) present[never + j] = false;
    const auto size = [&](const std::vector<bool>& allowed) {
      Rows copy = a;
      std::vector<bool> taken(columns);
      std::size_t step = 0;
      const double forced = pivots(copy, taken, step, never, first);
      return std::isfinite(forced) ? forced + pivots(copy, taken, step, rows - never, allowed) : forced;
    };
    const double best = size(rest), now = size(present);
    const bool expected = std::isfinite(best) && best - now > -std::log(0.3);
    Machine m = make_machine(b.p);
    BOOST_TEST(wants_other_states(m) == expected, turn << ": " << best << ", " << now);
    (expected ? changes : stays) += 1;
    // What is chosen stays chosen.
    BOOST_TEST(reselect_states(m) == expected, turn);
    BOOST_TEST(!wants_other_states(m), turn);
  }
  BOOST_TEST(changes > 100);
  BOOST_TEST(stays > 100);
}

BOOST_AUTO_TEST_SUITE_END()
