// Steady states as initial values (MLS 8.6), where Newton's method finds none: the motion from the start values leads to one.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(starts_by_motion)

// Each right side comes near to 0 at 3 and at 5, where it turns, long before it is 0 near 10 + k. What moves along it goes past both.
BOOST_AUTO_TEST_CASE(past_what_is_nearly_at_rest) {
  const Run r = run(
      "model M Real x[6](each start = 0); initial equation der(x) = zeros(6); equation for k in 1:6 loop "
      "der(x[k]) = (10 + k - x[k])*(0.02 + (x[k] - 3)^2)*(0.02 + (x[k] - 5)^2)/100 + 0.001*(x[mod(k, 6) + 1] - x[k]); end for; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  for (int k = 1; k <= 6; ++k) {
    const double x = r.initial(fmt::format("x[{}]", k)), next = r.initial(fmt::format("x[{}]", k % 6 + 1));
    const double slope = (10 + k - x)*(0.02 + (x - 3)*(x - 3))*(0.02 + (x - 5)*(x - 5))/100 + 0.001*(next - x);
    BOOST_TEST(std::abs(slope) < 1e-8, "k = " << k << ", x = " << x);
    BOOST_TEST(std::abs(x - (10 + k)) < 0.01, "k = " << k << ", x = " << x);
  }
}

// What is discrete has its start value however the steady state was found: `passed` became true on the way, if it was looked at there.
BOOST_AUTO_TEST_CASE(nothing_discrete_has_happened_on_the_way) {
  const Run r = run(
      "model M Real x[2](each start = 0); Integer n(start = 7, fixed = true); Boolean far = x[1] > 8; initial equation der(x) = zeros(2); equation for k in 1:2 loop "
      "der(x[k]) = (10 + k - x[k])*(0.02 + (x[k] - 3)^2)*(0.02 + (x[k] - 5)^2)/100 + 0.001*(x[3 - k] - x[k]); end for; "
      "when x[1] > 1 and x[1] < 9 then n = pre(n) + 1; end when; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.initial("n") == 7);
  BOOST_TEST(r.initial("far") == 1);
  BOOST_TEST(std::abs(r.initial("x[1]") - 11) < 0.01);
}

BOOST_AUTO_TEST_CASE(a_motion_without_rest_has_no_steady_state) {
  const Run r = run("model M Real x(start = 1), y(start = 1); initial equation der(x) = 0; der(y) = 0; equation der(x) = 1 + exp(-x*y); der(y) = x - y; end M;", 1);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("has no solution") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_SUITE_END()
