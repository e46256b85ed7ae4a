// E12: numbers that become too large end the run with an error that names them, never with a crash or a row of them.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool all_finite(const Run& r) {
  for (const double value : r.result.trajectory.values)
    if (!std::isfinite(value)) return false;
  return true;
}

// The run fails, says this, and keeps rows of numbers only.
void check_failure(const std::string& text, const std::string& said) {
  const Run r = run(text);
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(r.compiled);
    BOOST_TEST(!r.ended());
    BOOST_TEST(contains(r.message(), said), r.message());
    BOOST_TEST(all_finite(r));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(finite_numbers)

BOOST_AUTO_TEST_CASE(E12_a_derivative_that_is_not_finite_is_told_of) {
  // Free fall with g = the largest number: the first step leaves the range of numbers.
  check_failure("model M Real h(start=1, fixed=true), v(start=0, fixed=true); equation der(h) = v; der(v) = 1.7976931348623157e308; end M;",
                "too large for a number");
  check_failure("model M Real x(start=1e308, fixed=true); equation der(x) = x; end M;", "x is too large for a number");
  check_failure("model M Real x(start=1e308, fixed=true); Real y(start=0, fixed=true); equation der(x) = x; der(y) = -y; "
                "when y > 1 then reinit(y, 0); end when; end M;", "x is too large for a number");
  check_failure("model M Real x(start=1e200, fixed=true); equation der(x) = x*x; end M;", "too large for a number in `der(x) = x*x`");
  // A PI controller on a clock.
  check_failure("model M discrete Real e, i(start=1e308), u; Real x(start=1, fixed=true); equation when Clock(0.1) then "
                "e = 1 - sample(x); i = previous(i) + 0.1*e; u = 10*e + i; end when; der(x) = hold(u) - x; end M;",
                "too large for a number");
  check_failure("model M discrete Real e, i(start=1e308), u; Real x(start=1, fixed=true); equation when Clock(0.1) then "
                "e = 1 - sample(x); i = previous(i) + 0.1*e; u = 10*e + 1e10*i; end when; der(x) = hold(u) - x; end M;",
                "too large for a number in `");
}

BOOST_AUTO_TEST_CASE(E12_what_grows_beyond_the_numbers_is_told_with_the_instant) {
  // x = exp(1000*t) passes the largest number, 1.8e308, at t = ln(1.8e308)/1000 = 0.7098 s.
  const Run r = run("model M Real x(start=1, fixed=true); equation der(x) = 1000*x; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(std::abs(r.result.time - 0.7098) < 0.01);
  BOOST_TEST(contains(r.message(), "too large for a number"), r.message());
}

BOOST_AUTO_TEST_SUITE_END()
