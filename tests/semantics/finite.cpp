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
  const Run r = run(text, 2);
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
  check_failure("model M Real h(start=1, fixed=true), v(start=0, fixed=true); equation der(h) = v; der(v) = 1.7976931348623157e308; "
                "end M;", "too large for a number");
  check_failure("model M Real x(start=1e308, fixed=true); equation der(x) = x; end M;", "x is too large for a number");
  check_failure("model M Real x(start=1e308, fixed=true); Real y(start=0, fixed=true); equation der(x) = x; der(y) = -y; "
                "when y > 1 then reinit(y, 0); end when; end M;", "x is too large for a number");
  check_failure("model M Real x(start=1e200, fixed=true); equation der(x) = x*x; end M;", "too large for a number in `der(x) = x*x`");
  // A PI controller on a clock.
  check_failure("model M discrete Real e, i(start=1e308), u; Real x(start=1, fixed=true); equation when Clock(0.1) then "
                "e = 1 - sample(x); i = previous(i) + 0.1*e; u = 100*e + i; end when; der(x) = hold(u) - x; end M;",
                "too large for a number in `u = 100*e + i`");
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

BOOST_AUTO_TEST_CASE(E12_a_motion_too_fast_for_the_first_step_is_followed_or_told_of) {
  // x = exp(1e50*t) passes the largest number at t = 7.1e-48 s; it is never 0.
  const Run fast = run("model M Real x(start=1, fixed=true); equation der(x) = 1e50*x; end M;");
  BOOST_TEST(!fast.ended());
  BOOST_TEST(fast.result.time < 7.2e-48);
  BOOST_TEST(contains(fast.message(), "for x = 1.79"), fast.message());
  // The same when time has digits before: its smallest step is longer than the motion.
  const Run later = run("model M Real x(start=1, fixed=true); equation der(x) = if time < 0.5 then 0 else 1e50*x; end M;");
  BOOST_TEST(!later.ended());
  BOOST_TEST(later.result.time == 0.5);
  // Two tanks that even out: their sum stays, the difference is exp(-2e20*t).
  const Run tanks = run("model M Real y(start=1, fixed=true), z(start=0, fixed=true); equation der(y) = -1e20*(y - z); der(z) = 1e20*(y - z); end M;");
  BOOST_TEST(tanks.ended());
  BOOST_TEST(std::abs(tanks.final("y") - 0.5) < 1e-6);
  BOOST_TEST(std::abs(tanks.final("z") - 0.5) < 1e-6);
  // A slope near the largest number.
  const Run steep = run("model M Real x(start=0, fixed=true); equation der(x) = 1e300; end M;");
  BOOST_TEST(steep.ended());
  BOOST_TEST(std::abs(steep.final("x")/1e300 - 1) < 1e-6);
  // Half of the largest number is one.
  const Run fall = run("model M Real h(start=1, fixed=true), v(start=0, fixed=true); equation der(h) = v; der(v) = 1.7976931348623157e308; end M;", 0.9);
  BOOST_TEST(fall.ended());
  BOOST_TEST(std::abs(fall.final("h")/1.7976931348623157e308 - 0.405) < 1e-6);
}

// A divisor that overflows makes its quotient 0, and the slope of that 0; the exponential alone has no value there.
BOOST_AUTO_TEST_CASE(an_exponential_may_overflow_in_a_divisor) {
  // A smooth sign of a speed, as drives have it: w = 1 - 2*t, z the integral of its sign.
  const Run drive = run("model M Real w(start=1, fixed=true), z(start=0, fixed=true); Real y = 2/(1 + exp(-w/0.001)) - 1; equation der(w) = -2; der(z) = y; end M;", 2);
  BOOST_TEST(drive.ended(), drive.message());
  BOOST_TEST(drive.at("y", 2) == -1);
  BOOST_TEST(std::abs(drive.at("z", 2) + 1) < 1e-4);

  const Run sums = run("model M Real x = 1 + 1000*time; Real bernoulli = x/(exp(x) - 1), sech = 1/cosh(x), deep = 1/(2 + 3*exp(exp(x)) + exp(-x)), below = 1/(1 - 2*cosh(x)); end M;", 2);
  for (const char* name : {"bernoulli", "sech", "deep", "below"}) BOOST_TEST(sums.at(name, 2) == 0, name);
  BOOST_TEST(std::abs(sums.at("bernoulli", 0.02) - 21/(std::exp(21) - 1)) < 1e-12);

  // In a loop, where its slope counts: y = -1 - time.
  const Run loop = run("model M Real y(start=-1); equation y + 1/(1 + exp(-2000*y)) = -1 - time; end M;", 2);
  BOOST_TEST(loop.ended(), loop.message());
  BOOST_TEST(std::abs(loop.at("y", 2) + 3) < 1e-9);

  // What is added to it and multiplied with it may as well.
  std::string many = "exp(x)";
  for (int k = 1; k <= 30; ++k) many += " + exp(x - " + std::to_string(k) + ")";
  const Run chains = run("model M Real x = 1000*time; Real tenfold = 1/(1 + 10*exp(x)), terms = 1/(" + many + "); end M;", 2);
  BOOST_TEST(chains.ended(), chains.message());
  BOOST_TEST(std::abs(chains.at("tenfold", 0.7)/(0.1*std::exp(-700.0)) - 1) < 1e-9);
  BOOST_TEST(std::abs(chains.at("terms", 0.7)/((1 - std::exp(-1.0))*std::exp(-700.0)/(1 - std::exp(-31.0))) - 1) < 1e-9);
  for (const char* name : {"tenfold", "terms"}) BOOST_TEST(chains.at(name, 2) == 0, name);

  // A dividend near the end of the numbers has a quotient: 1/(1 + e) is not 0.
  check_failure("model M Real x = 709.7*time; Real y = exp(x)/(exp(x) + exp(x + 1)); end M;", "the divisor is too large for a number in `exp(x)/(exp(x) + exp(x + 1))`");
  check_failure("model M Real x = 709.7*time; Real y = exp(x)/(1 + exp(x + 5)); end M;", "the divisor is too large for a number");

  // A factor that the run knows, as in an exponential integral: exp(-u)/u, unless it may make the product small again.
  const Run factor = run("model M Real u = 1/max(time, 1e-9), y = if u < 1 then 0 else 1/(u*exp(u)); Real x(start = 1, fixed = true); equation der(x) = -x/((2 + x)*exp(2000*time)); end M;", 2);
  BOOST_TEST(factor.ended(), factor.message());
  BOOST_TEST(factor.initial("y") == 0);
  BOOST_TEST(std::abs(factor.at("y", 0.5)/(0.5*std::exp(-2.0)) - 1) < 1e-12);
  // Three sizes by three tolerances, beside the same quotient with exp in the dividend.
  for (const double rate : {20.0, 800.0, 50000.0})
    for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
      const std::string k = std::to_string(rate);
      const Run both = run("model M Real x(start = 1, fixed = true), z(start = 1, fixed = true); equation der(x) = " + k + "*x/((2 + x)*exp(" + k + "*time)); der(z) = " + k + "*z*exp(-" + k + "*time)/(2 + z); end M;", 2, tolerance);
      BOOST_TEST(both.ended(), both.message());
      BOOST_TEST(std::abs(both.final("x") - both.final("z")) <= tolerance, k);
      // 2*ln(x) + x = 1 + (1 - exp(-k*t)), which x = 1 fulfils at 0
      BOOST_TEST(std::abs(2 * std::log(both.final("x")) + both.final("x") - 2) < 30 * tolerance, k << " at " << tolerance);
    }
  for (const char* small : {"1/(x*exp(1000*time) + 1)", "1e-3/((1e-250*(1 + time))*exp(1000*time))"})
    check_failure("model M Real x(start = 0, fixed = true), y = " + std::string(small) + "; equation der(x) = 0; end M;", "too large for a number");

  for (const char* other : {"exp(1000*time)/(1 + exp(1000*time))", "1/(2 - exp(1000*time)) + exp(1000*time)", "1/(3 + exp(1000*time) - exp(900*time))"})
    check_failure("model M Real y = " + std::string(other) + "; end M;", "too large for a number");
}

BOOST_AUTO_TEST_SUITE_END()
