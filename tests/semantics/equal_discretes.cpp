// Equal discrete variables, each with fixed = true: fixed gives pre of each (MLS 8.6), and these may differ before the first value.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(equal_discretes)

// pre(a) = 3 and pre(b) = 5 at the start, whereafter a = b = c.
BOOST_AUTO_TEST_CASE(through_a_third) {
  const Run r = run("model M Integer a(start = 3, fixed = true), b(start = 5, fixed = true), c, first(start = 0), second(start = 0); "
                    "equation a = c; b = c; c = if time >= 0.5 then 2 else 1; when initial() then first = pre(a); second = pre(b); end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("a") == 1);
  BOOST_TEST(r.initial("b") == 1);
  BOOST_TEST(r.initial("first") == 3);
  BOOST_TEST(r.initial("second") == 5);
  BOOST_TEST(r.final("a") == 2);
  BOOST_TEST(r.final("b") == 2);
}

BOOST_AUTO_TEST_CASE(negated) {
  const Run r = run("model M Boolean a(start = true, fixed = true), b(start = true, fixed = true), c, first(start = false), second(start = false); "
                    "equation a = c; b = not c; c = time < 0.5; when initial() then first = pre(a); second = pre(b); end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("first") == 1);
  BOOST_TEST(r.initial("second") == 1);
  BOOST_TEST(r.final("a") == 0);
  BOOST_TEST(r.final("b") == 1);
}

// Continuous ones have one value at the start.
BOOST_AUTO_TEST_CASE(reals_that_contradict) {
  BOOST_TEST(complaints("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true); equation x = y; der(x) = -x; end M;").find("different start values") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
