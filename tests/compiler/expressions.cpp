// The store of expressions: the same one has one number.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/expression/expression.hpp"

using namespace mosim::compiler;

BOOST_AUTO_TEST_SUITE(expressions)

BOOST_AUTO_TEST_CASE(the_same_is_one_with_any_number_of_operands) {
  Expressions x;
  std::vector<Expr> leaves;
  for (int k = 0; k < 70'000; ++k) leaves.push_back(x.integer(k, {1, 2}));
  std::vector<Expr> made;
  const std::size_t counts[] = {1, 2, 254, 255, 256, 300, 70'000};
  for (const std::size_t n : counts) made.push_back(x.call(static_cast<FunctionId>(7), std::span(leaves).first(n), {std::uint32_t(n), std::uint32_t(n + 1)}));
  const std::size_t size = x.size();
  for (std::size_t k = 0; k < made.size(); ++k) {
    const std::span<const Expr> children = x.children(made[k]);
    BOOST_TEST_REQUIRE(children.size() == counts[k]);
    BOOST_TEST((std::equal(children.begin(), children.end(), leaves.begin())));
    BOOST_TEST((x.call(static_cast<FunctionId>(7), children, {90, 91}) == made[k]));   // a view of the store's own
    BOOST_TEST((x.place(made[k]) == Place{std::uint32_t(counts[k]), std::uint32_t(counts[k] + 1)}));
    BOOST_TEST((x.function(made[k]) == static_cast<FunctionId>(7)));
    for (std::size_t other = 0; other < k; ++other) BOOST_TEST((made[k] != made[other]));
  }
  BOOST_TEST(x.size() == size);
  // One of many is another.
  std::vector<Expr> nearly(leaves.begin(), leaves.begin() + 300);
  nearly[299] = leaves[5];
  BOOST_TEST((x.call(static_cast<FunctionId>(7), nearly) != made[5]));
  BOOST_TEST((x.call(static_cast<FunctionId>(8), std::span(leaves).first(300)) != made[5]));
  BOOST_TEST((x.call(static_cast<FunctionId>(7), std::span(leaves).first(299)) != made[5]));
}

BOOST_AUTO_TEST_CASE(leaves_are_what_they_hold) {
  Expressions x;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((x.real(0.0) != x.real(-0.0)));
  BOOST_TEST(std::signbit(x.real_value(x.real(-0.0))));
  BOOST_TEST((x.real(nan) == x.real(nan)));
  BOOST_TEST((x.real(1) != x.integer(1)));
  BOOST_TEST(x.integer_value(x.integer(std::numeric_limits<std::int64_t>::min())) == std::numeric_limits<std::int64_t>::min());
  const auto first = static_cast<EnumerationId>(0), second = static_cast<EnumerationId>(1);
  const Expr literal = x.enumeration(second, 3);
  BOOST_TEST((literal != x.enumeration(first, 3)));
  BOOST_TEST((literal != x.enumeration(second, 2)));
  BOOST_TEST((x.enumeration(literal) == second));
  BOOST_TEST(x.payload(literal) == 3u);
  BOOST_TEST((x.enumeration(x.real(3)) == EnumerationId::none));
  BOOST_TEST(x.children(literal).empty());
  BOOST_TEST((x.like(literal, {}) == literal));
  const Expr time = x.make(Op::time, BaseType::real, {}), v = x.variable(static_cast<VariableId>(4), BaseType::real, {5, 6});
  BOOST_TEST((x.like(time, {}) == time));
  BOOST_TEST((x.variable(static_cast<VariableId>(4), BaseType::real, {7, 8}) == v));
  BOOST_TEST((x.place(v) == Place{5, 6}));
  BOOST_TEST((x.make(Op::less, BaseType::boolean, {v, time}) != x.make(Op::less, BaseType::boolean, {v, time}, {}, true)));
}

// Each has its own place, however many there are.
BOOST_AUTO_TEST_CASE(places) {
  Expressions x;
  for (std::uint32_t k = 0; k < 5000; ++k) (void)x.variable(static_cast<VariableId>(k), BaseType::real, {k % 300, k % 300 + k % 7});
  for (std::uint32_t k = 0; k < 5000; ++k) BOOST_TEST_REQUIRE((x.place(static_cast<Expr>(k)) == Place{k % 300, k % 300 + k % 7}));
}

BOOST_AUTO_TEST_CASE(what_is_known_may_be_forgotten) {
  Expressions x;
  const auto make = [&](int k) { return x.make(Op::add, BaseType::real, {x.real(k), x.variable(static_cast<VariableId>(k), BaseType::real)}); };
  std::vector<Expr> before, after;
  for (int k = 0; k < 1000; ++k) before.push_back(make(k));
  x.forget_known();
  for (int k = 0; k < 1000; ++k) after.push_back(make(k));
  for (int k = 0; k < 1000; ++k) {
    BOOST_TEST((after[k] != before[k]));
    BOOST_TEST((make(k) == after[k]));   // what is made from then on is compared with its like
    for (const Expr e : {before[k], after[k]}) {
      BOOST_TEST(x.number(x.child(e, 0)) == k);
      BOOST_TEST((x.variable(x.child(e, 1)) == static_cast<VariableId>(k)));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_expected_has_room) {
  Expressions x;
  const auto make = [&](int k) { return x.make(Op::multiply, BaseType::real, {x.real(1.0 / k), x.variable(static_cast<VariableId>(k), BaseType::real)}); };
  std::vector<Expr> all;
  for (int k = 1; k <= 3000; ++k) {
    const std::size_t before = x.room();
    if (k % 1000 == 1) x.expect(2000);   // two for each
    BOOST_TEST((k % 1000 == 1 || x.room() == before));
    all.push_back(make(k));
    BOOST_TEST(x.known() == 2u * k);
  }
  x.expect(0);
  for (int k = 1; k <= 3000; ++k) BOOST_TEST((make(k) == all[k - 1]));
  BOOST_TEST(x.known() == 6000u);
  BOOST_TEST(x.room() == 16'384u);   // at most two thirds of them taken
}

// Wherever they come from, what is made is found after a few looks.
BOOST_AUTO_TEST_CASE(what_is_alike_is_not_in_one_place) {
  constexpr int n = 30'000;
  const auto looks = [](auto make) {
    Expressions x;
    for (int k = 0; k < n; ++k) make(x, k);
    const std::size_t before = x.looks();
    for (int k = 0; k < n; ++k) make(x, k);   // and found again
    BOOST_TEST(x.looks() - before >= std::size_t(n));
    return double(x.looks()) / n;
  };
  const auto variable = [](Expressions& x, int k) { return x.variable(static_cast<VariableId>(k), BaseType::real); };
  // In their last bits alone, in their first, by a whole number of halvings.
  BOOST_TEST(looks([](Expressions& x, int k) { (void)x.real(293.15 + k * 1e-12); }) < 8);
  BOOST_TEST(looks([](Expressions& x, int k) { (void)x.real(1.7e9 + k * 1e-3); }) < 8);
  BOOST_TEST(looks([](Expressions& x, int k) { (void)x.real(-double(k) / n); }) < 8);
  BOOST_TEST(looks([](Expressions& x, int k) { (void)x.real(std::ldexp(double(k % 30), k / 30 % 1000)); }) < 8);
  BOOST_TEST(looks([](Expressions& x, int k) { (void)x.integer(std::int64_t(k) << 20); }) < 8);
  // Products of all pairs, of each with one, and of neighbours.
  BOOST_TEST(looks([&](Expressions& x, int k) { (void)x.make(Op::multiply, BaseType::real, {variable(x, k % 173), variable(x, k / 173)}); }) < 8);
  BOOST_TEST(looks([&](Expressions& x, int k) { (void)x.make(Op::multiply, BaseType::real, {variable(x, 0), variable(x, k)}); }) < 8);
  BOOST_TEST(looks([&](Expressions& x, int k) { (void)x.make(Op::subtract, BaseType::real, {variable(x, k + 1), variable(x, k)}); }) < 8);
  BOOST_TEST(looks([&](Expressions& x, int k) { (void)x.make(Op::if_, BaseType::real, {variable(x, k % 31), variable(x, k / 31 % 31), variable(x, k / 961)}); }) < 8);
}

// However large the table of what is known has become since: expressions of four shapes, and numbers that differ in their last or first bits alone.
BOOST_AUTO_TEST_CASE(what_is_made_again_is_the_same_expression) {
  Expressions x;
  std::vector<Expr> all;
  const auto make = [&](std::int64_t k) {
    const Expr v = x.variable(static_cast<VariableId>(k), BaseType::real), whole = x.integer(k << 30), real = x.real(std::bit_cast<double>(std::uint64_t(k) << 20));
    return std::vector{v, whole, real, x.real(double(k)), x.make(Op::negate, BaseType::real, {v}), x.make(Op::divide, BaseType::real, {whole, real}),
                       x.make(Op::if_, BaseType::real, {x.boolean(k % 2 == 0), v, real})};
  };
  for (std::int64_t k = 1; k <= 30'000; ++k) {
    const auto made = make(k);
    all.insert(all.end(), made.begin(), made.end());
    BOOST_TEST_REQUIRE(x.integer_value(made[1]) == k << 30);
    BOOST_TEST_REQUIRE(x.real_value(made[3]) == double(k));
  }
  const std::size_t size = x.size();
  std::size_t at = 0;
  for (std::int64_t k = 1; k <= 30'000; ++k)
    for (const Expr e : make(k)) BOOST_TEST_REQUIRE((e == all[at++]));
  BOOST_TEST(x.size() == size);
  std::sort(all.begin(), all.end());
  BOOST_TEST((std::unique(all.begin(), all.end()) == all.end()));
  BOOST_TEST((x.real(0.0) != x.real(-0.0)));
  const double none = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((x.real(none) == x.real(none)));
}

BOOST_AUTO_TEST_SUITE_END()
