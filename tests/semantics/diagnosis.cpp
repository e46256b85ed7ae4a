// Why a system of equations has no solution, or more than one, in the words of its source.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::tests;

namespace {

std::string said(const std::string& text, double stop = 2) {
  const Run r = run(text, stop);
  BOOST_TEST(!r.ended(), text);
  return r.message();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnosis)

BOOST_AUTO_TEST_CASE(two_equations_that_contradict_each_other_at_an_instant) {
  const std::string m = said("model M Real x, y; equation x + y = 1; x + time*y = 2; end M;");
  BOOST_TEST(contains(m, "`x + y = 1` (test.mo:1) and `x + time*y = 2` (test.mo:1) contradict each other"), m);
  BOOST_TEST(contains(m, "with x, y"), m);
}

BOOST_AUTO_TEST_CASE(the_value_that_makes_them_so_is_named) {
  const std::string m = said("model M Real x, y, k; equation k = 2 - 2*time; x + y = 1; 2*x + (2 + k)*y = 3; end M;");
  BOOST_TEST(contains(m, "contradict each other"), m);
  BOOST_TEST(contains(m, "k = 0"), m);
}

BOOST_AUTO_TEST_CASE(three_equations_that_hang_together) {
  const std::string m = said("model M Real x, y, z, k = if time < 0.5 then 2 else 1; equation x + y + z = 1; x - y + k*z = 2; 2*x + (k^2 - 1)*z = 3.5; end M;");
  BOOST_TEST(contains(m, "`x + y + z = 1`"), m);
  BOOST_TEST(contains(m, "`x - y + k*z = 2`"), m);
  BOOST_TEST(contains(m, "`2*x + (k^2 - 1)*z = 3.5`"), m);
  BOOST_TEST(contains(m, "contradict each other"), m);
}

BOOST_AUTO_TEST_CASE(an_equation_that_says_nothing_for_an_instant) {
  const std::string m = said("model M Real a = 1 - time, x(start = 1), y(start = 1); equation a*(x + y) = 3; x^3 - y = 1; end M;");
  BOOST_TEST(contains(m, "`a*(x + y) = 3`"), m);
}

// The least distance of the sides: 0 + 1 - 0.5 at x = 0; of the circle and the line x + y = 4 the line from the origin, x = y.
BOOST_AUTO_TEST_CASE(sides_that_come_no_closer) {
  const std::string one = said("model M Real x(start = 3); equation x^2 + 1 = 0.5; end M;");
  BOOST_TEST(contains(one, "the two sides of `x^2 + 1 = 0.5` (test.mo:1) come no closer to each other than 0.5, at x = "), one);
  const std::string moving = said("model M Real x(start = 1); equation x^2 + time = 0.5; end M;");
  BOOST_TEST(contains(moving, "come no closer to each other than"), moving);
  const std::string two = said("model M Real x(start = 1), y(start = 0.5); equation x^2 + y^2 = 1; x + y = 4; end M;");
  BOOST_TEST(contains(two, "come no closer to each other than"), two);
}

BOOST_AUTO_TEST_SUITE_END()
