// Where a flow ends, what it brings along is open: it keeps its value, whatever guesses from elsewhere run into.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(left_open)

// A valve closes. Until then h = 100 + 5*p with p = 5*(2 - sqrt(h - 20)/100)*exp(-m^2/1000), which for m = 0 is quadratic in s = sqrt(h - 20):
// s^2 + 0.25*s - 130 = 0. From guesses elsewhere sqrt has negative arguments.
BOOST_AUTO_TEST_CASE(a_closed_valve_before_a_root) {
  const Run r = run("model M Real m(start = 9), h(start = 150), p(start = 10), k, w; Real open = if time < 1 then 1 - time else 0; equation "
                    "m = open*p; k = 2 - sqrt(h - 20)/100; p = k*5*exp(-m^2/1000); w = m*5*p; m*(h - 100) = w; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double s = (-0.25 + std::sqrt(0.0625 + 520)) / 2;
  BOOST_TEST(r.final("m") == 0);
  BOOST_TEST(std::abs(r.final("h") - (20 + s * s)) < 1e-3);
  BOOST_TEST(std::abs(r.final("p") - (s * s - 80) / 5) < 1e-3);
}

BOOST_AUTO_TEST_SUITE_END()
