// Steady states as initial values (MLS 8.6), where Newton's method finds none: the motion from the start values leads to one.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(starts_by_motion)

namespace {

std::string ring(int n, const std::string& more, const std::string& conditions) {
  return fmt::format(
      "model M parameter Integer n = {}; Real x[n](each start = 0); {} initial equation der(x) = zeros(n); equation for k in 1:n loop "
      "der(x[k]) = (10 + k/n - x[k])*(0.02 + (x[k] - 3)^2)*(0.02 + (x[k] - 5)^2)/100 + 0.001*(x[mod(k, n) + 1] - x[k]); end for; {} end M;", n, more, conditions);
}

}  // namespace

// Each right side comes near to 0 at 3 and at 5, where it turns, long before it is 0 above 10. What moves along it goes past both. Beyond 40
// states their matrix is a sparse one.
BOOST_AUTO_TEST_CASE(past_what_is_nearly_at_rest) {
  for (const int n : {3, 12, 60})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Run r = run(ring(n, "", ""), 1, tolerance, 10);
      BOOST_REQUIRE_MESSAGE(r.ended(), "n = " << n << ": " << r.diagnostics << r.message());
      for (int k = 1; k <= n; ++k) {
        const std::string name = fmt::format("x[{}]", k);
        const double x = r.initial(name), next = r.initial(fmt::format("x[{}]", k % n + 1));
        const double slope = (10 + double(k)/n - x)*(0.02 + (x - 3)*(x - 3))*(0.02 + (x - 5)*(x - 5))/100 + 0.001*(next - x);
        BOOST_TEST(std::abs(slope) < 1e-8, "n = " << n << ", k = " << k << ", x = " << x);
        BOOST_TEST(std::abs(x - (10 + double(k)/n)) < 0.01, "n = " << n << ", k = " << k << ", x = " << x);
        BOOST_TEST(std::abs(r.final(name) - x) < tolerance);
      }
    }
}

// What is discrete has its start value however the steady state was found: the when-clause would have fired on the way.
BOOST_AUTO_TEST_CASE(nothing_discrete_has_happened_on_the_way) {
  const Run r = run(ring(3, "Integer times(start = 7, fixed = true); Boolean far = x[1] > 8;", "when x[1] > 1 and x[1] < 9 then times = pre(times) + 1; end when;"), 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.initial("times") == 7);
  BOOST_TEST(r.initial("far") == 1);
  BOOST_TEST(std::abs(r.initial("x[1]") - 10.333) < 0.01);
  BOOST_TEST(r.message() == "");
}

BOOST_AUTO_TEST_CASE(a_motion_without_rest_has_no_steady_state) {
  const Run r = run("model M Real x(start = 1), y(start = 1); initial equation der(x) = 0; der(y) = 0; equation der(x) = 1 + exp(-x*y); der(y) = x - y; end M;", 1);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("has no solution") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_SUITE_END()
