// Delays and flows that are shorter than a step can be (MLS 3.7.4.1, 3.7.4.2): followed in a bounded number of steps, or an
// error in a sentence. Closed forms: what is delayed, at the instant that is read.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

const std::string extrapolated = "is extrapolated from what went in before";

bool says(const Run& r, const std::string& text) { return r.message().find(text) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(short_delays)

BOOST_AUTO_TEST_CASE(a_delay_that_grows_from_nothing) {
  // x' = sin(t/2), y = t/2
  const Run r = run("model M Real y = delay(time, 0.5*time, 2), z = delay(sin(time), 0.5*time, 2), x(start = 0, fixed = true); equation der(x) = z; end M;", 3);
  BOOST_REQUIRE(r.ended());
  for (const double t : {0.006, 0.3, 1.5, 3.0}) BOOST_TEST(r.at("y", t) == t/2, tolerance(1e-9));
  BOOST_TEST(r.final("x") == 2*(1 - std::cos(1.5)), tolerance(1e-6));
  BOOST_TEST(r.result.statistics.steps < 2000u);
  BOOST_TEST(r.message().empty());   // but for the first instants it is known
}

BOOST_AUTO_TEST_CASE(a_delay_that_shrinks_to_nothing_and_grows_again) {
  // What is read is 2*t - 1 from 0.5 to 1, t up to 2, and then 2.
  const Run r = run("model M Real d = if time < 1 then 1 - time else max(0, time - 2), y = delay(sin(3*time), d, 2), x(start = 0, fixed = true); equation der(x) = y; end M;", 3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 0.75) == std::sin(1.5), tolerance(1e-6));
  BOOST_TEST(r.at("y", 1.5) == std::sin(4.5), tolerance(1e-6));
  BOOST_TEST(r.final("y") == std::sin(6), tolerance(1e-6));
  BOOST_TEST(r.final("x") == (1 - std::cos(3))/6 + (std::cos(3) - std::cos(6))/3 + std::sin(6), tolerance(1e-5));
  BOOST_TEST(r.result.statistics.steps < 100000u);
}

BOOST_AUTO_TEST_CASE(a_delay_that_no_step_resolves) {
  // x' = -x(t - T), T far below the tolerance, that is exp(-t).
  for (const char* length : {"1e-12", "1e-30", "1e-7"}) {
    const Run r = run("model M Real x(start = 1, fixed = true), y = delay(x, " + std::string(length) + "); equation der(x) = -y; end M;", 3);
    BOOST_REQUIRE(r.ended());
    BOOST_TEST(r.final("x") == std::exp(-3.0), tolerance(1e-5));
    BOOST_TEST(std::abs(r.at("y", 1.5) - std::exp(-1.5)) < 2e-6);
    BOOST_TEST(r.result.statistics.steps < 100000u);
    BOOST_TEST(says(r, extrapolated));
  }
}

BOOST_AUTO_TEST_CASE(what_jumps_comes_out_of_it_at_its_instant) {
  const Run r = run("model M Real u = if time >= 1 then 1 + time else 0, y = delay(u, 1e-12), x(start = 0, fixed = true); equation der(x) = y; end M;", 3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 0.999) == 0);
  BOOST_TEST(r.at("y", 1.002) == 2.002, tolerance(1e-6));
  BOOST_TEST(r.final("x") == 2 + 4, tolerance(1e-6));
  BOOST_TEST(r.events() == 2u);
}

BOOST_AUTO_TEST_CASE(what_is_constant_between_events_needs_no_steps) {
  const Run r = run("model M Real u = if time >= 1 then 1 else 0, y = delay(u, 1e-9), x(start = 0, fixed = true); equation der(x) = y; end M;", 3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("x") == 2, tolerance(1e-8));
  BOOST_TEST(r.result.statistics.steps < 1000u);
  BOOST_TEST(r.message().empty());
}

BOOST_AUTO_TEST_CASE(no_delay_at_all) {
  // expr(time - 0), for a literal the expression itself: y = u - y/2.
  const Run r = run("model M Real y, u = sin(time); equation y = u - 0.5*delay(y, 0); end M;", 3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 1.5) == std::sin(1.5)/1.5, tolerance(1e-12));
  const Run later = run("model M parameter Real T = 0; Real y = delay(sin(3*time), T), x(start = 0, fixed = true); equation der(x) = y; end M;", 3);
  BOOST_REQUIRE(later.ended());
  BOOST_TEST(later.final("x") == (1 - std::cos(9))/3, tolerance(1e-5));
  BOOST_TEST(later.at("y", 1.5) == std::sin(4.5), tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_extrapolated_is_an_error) {
  // y = u - 1.5*y(t - T) alternates, and grows by half every T.
  const Run grows = run("model M Real y, u = sin(time); equation y = u - 1.5*delay(y, 1e-12); end M;", 3);
  BOOST_TEST(grows.compiled);
  BOOST_TEST(!grows.ended());
  BOOST_TEST(says(grows, "`delay(y, 1e-12, 1e-12)` looks back 1e-12 s, less than the shortest step of this run, 3e-06 s"));
}

BOOST_AUTO_TEST_CASE(a_flow_faster_than_steps) {
  // Through in 5e-10 s: what comes out is what goes in.
  const Run r = run("model M Real x(start = 0, fixed = true), b, a(start = 0, fixed = true); equation der(x) = 2e9; der(a) = b; (, b) = spatialDistribution(sin(time), 0, x, true); end M;", 3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(std::abs(r.at("b", 1.5) - std::sin(1.5)) < 2e-6);
  BOOST_TEST(r.final("a") == 1 - std::cos(3), tolerance(1e-5));
  BOOST_TEST(r.result.statistics.steps < 100000u);
  BOOST_TEST(says(r, "`spatialDistribution` is passed through in less than a millionth of the run"));
}

BOOST_AUTO_TEST_CASE(a_fast_flow_backwards_with_a_jump) {
  const Run r = run("model M Real x(start = 0, fixed = true), b, a(start = 0, fixed = true); equation der(x) = -2e9; der(a) = b; "
                    "(b, ) = spatialDistribution(0, if time >= 1 then 2 - time else time, x, false); end M;", 3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(std::abs(r.at("b", 0.9) - 0.9) < 2e-6);
  BOOST_TEST(std::abs(r.final("b") + 1) < 2e-6);
  BOOST_TEST(std::abs(r.final("a") - 0.5) < 1e-5);
}

BOOST_AUTO_TEST_CASE(a_flow_from_a_standstill) {
  // x = 1e4*t^3; what comes out went in where x was 1 less.
  const Run r = run("model M Real x(start = 0, fixed = true), b; equation der(x) = 3e4*time^2; (, b) = spatialDistribution(1 + sin(time), 0, x, true, {0, 1}, {1, 1}); end M;", 3, 1e-8);
  BOOST_REQUIRE(r.ended());
  for (const double t : {0.3, 1.5, 3.0}) BOOST_TEST(r.at("b", t) == 1 + std::sin(std::cbrt(t*t*t - 1e-4)), tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_flow_whose_places_are_lost_is_an_error) {
  for (const char* speed : {"1e300", "1e14", "-1e20"}) {
    const Run r = run("model M Real x(start = 0, fixed = true), a, b; equation der(x) = " + std::string(speed) + "; (a, b) = spatialDistribution(time, time, x, x >= 0); end M;", 3);
    BOOST_TEST(r.compiled);
    BOOST_TEST(!r.ended());
    BOOST_TEST(says(r, "places from 0 to 1 cannot be told apart there"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
