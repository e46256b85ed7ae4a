// spatialDistribution (MLS 3.7.4.2) against the characteristics: z(1, t) is what went in when x was 1 less.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runtime/spatial_distribution.hpp"
#include "support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(spatial_distribution)

BOOST_AUTO_TEST_CASE(a_flow_delays_what_goes_in) {
  const Run r = run("model M Real x(start = 0, fixed = true), a, b; equation der(x) = 2; (a, b) = spatialDistribution(sin(5*time), 0, x, true, {0, 1}, {0, 0}); end M;", 2);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(std::abs(r.at("b", 0.3)) < 1e-9);
  for (const double t : {0.6, 1.0, 1.5, 2.0}) BOOST_TEST(r.at("b", t) == std::sin(5*(t - 0.5)), tolerance(2e-3));
  // x = t + t^2/2 is 1 less at s = -1 + sqrt(1 + 2*(x - 1)).
  const Run faster = run("model M Real x(start = 0, fixed = true), a, b; equation der(x) = 1 + time; (a, b) = spatialDistribution(time, 0, x, true); end M;", 2);
  for (const double t : {1.0, 1.5, 2.0}) BOOST_TEST(faster.at("b", t) == -1 + std::sqrt(1 + 2*(t + t*t/2 - 1)), tolerance(2e-3));
}

BOOST_AUTO_TEST_CASE(a_step_is_shorter_than_the_way_through) {
  // 200 times through in one output interval: the output is what went in 0.01 s before.
  const Run r = run("model M Real x(start = 0, fixed = true), b; equation der(x) = 100; (, b) = spatialDistribution(time, 0, x, true); end M;", 1000);
  BOOST_REQUIRE(r.ended());
  for (const double t : {2.0, 100.0, 998.0}) BOOST_TEST(r.at("b", t) == t - 0.01, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_initial_profile_comes_out_first) {
  const Run r = run(
      "model M Real x(start = 3, fixed = true), b; equation der(x) = 1; "
      "(, b) = spatialDistribution(in0 = 0, in1 = 0, x = x, positiveVelocity = true, initialPoints = {0, 0.5, 1}, initialValues = {1, 5, 2}); end M;", 0.9);
  BOOST_TEST(r.at("b", 0.25) == 3.5, tolerance(1e-2));
  BOOST_TEST(r.at("b", 0.5) == 5, tolerance(1e-2));
  BOOST_TEST(r.final("b") == 1.8, tolerance(1e-2));
}

BOOST_AUTO_TEST_CASE(the_flow_may_turn_round) {
  // v = cos(t): forwards to x = 1 at pi/2, back to -1 at 3 pi/2, then 1.28 forwards. 2 went in at the far end.
  const Run r = run("model M Real x(start = 0, fixed = true), v = cos(time), a, b; equation der(x) = v; (a, b) = spatialDistribution(1, 2, x, v >= 0); end M;", 5);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("b", 1) == 0.0);
  BOOST_TEST(r.at("a", 1.7) == 1.0, tolerance(1e-2));
  BOOST_TEST(r.final("b") == 2.0, tolerance(1e-2));
}

BOOST_AUTO_TEST_CASE(a_loop_through_it_is_no_algebraic_loop) {
  // b = 1 - b(t - 1)/2: 0, 1, 1/2
  const Run r = run("model M Real x(start = 0, fixed = true), a, b; equation der(x) = 1; (a, b) = spatialDistribution(1 - 0.5*b, 4, x, true); end M;", 2.9);
  BOOST_TEST(r.at("b", 0.9) == 0.0);
  BOOST_TEST(r.at("b", 1.9) == 1.0, tolerance(1e-6));
  BOOST_TEST(r.final("b") == 0.5, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const std::string before = "model M Real x(start = 0, fixed = true), a, b; equation der(x) = 1; (a, b) = spatialDistribution(", after = "); end M;";
  const auto says = [&](const std::string& arguments, const char* text) { return complaints(before + arguments + after).find(text) != std::string::npos; };
  BOOST_TEST(says("0, 0, x, true, {0, 0.5}, {1, 2}", "must rise from 0 to 1, but number 2 is 0.5"));
  BOOST_TEST(says("0, 0, x, true, {0, 1}, {1, 2, 3}", "need one size"));
  BOOST_TEST(says("0, 0, x, true, {0, 1}, {1, x}", "must be parameter expressions"));
  BOOST_TEST(says("0, 0, x", "the argument positiveVelocity of spatialDistribution is missing"));
}

BOOST_AUTO_TEST_CASE(a_profile_moves) {
  using namespace mosim::runtime;
  DistributionLine p = make_distribution_line({0, 1}, {0, 10}, 0, true, 1e-10);
  BOOST_TEST(outflow(p, 1, 0.25, true) == 7.5);
  BOOST_TEST(outflow(p, 0, 0.25, true) == 0);
  move_on(p, 0.25, 4, 0, true);
  BOOST_TEST(p.points.size() == 3u);
  BOOST_TEST(outflow(p, 1, 1.25, true) == 4);
  // A jump: nothing moves, another value goes in.
  move_on(p, 0.25, 6, 0, true);
  BOOST_TEST(p.points.size() == 4u);
  BOOST_TEST(outflow(p, 1, 1.25, true) == 6);
  // And back out where it came from.
  move_on(p, 0.75, 6, 0, true);
  BOOST_TEST(outflow(p, 0, 0.25 + 1e-9, false) == 6);
  BOOST_TEST(outflow(p, 0, 0.25 - 1e-9, false) == 6);   // it waits for its event
  BOOST_TEST(leaving(p, 0, 0.25 + 1e-9) > 0);
  BOOST_TEST(leaving(p, 0, 0.25 - 1e-9) < 0);
  BOOST_TEST(take_leaving(p, 0, 0.25 - 1e-9));
  BOOST_TEST(release(p, false));
  BOOST_TEST(outflow(p, 0, 0.25 - 1e-9, false) == 4, tolerance(1e-6));
  BOOST_TEST(!release(p, false));
  // What goes in while nothing moves takes no room.
  DistributionLine still = make_distribution_line({0, 1}, {0, 0}, 0, true, 1e-10);
  for (int k = 1; k <= 100; ++k) move_on(still, 0, k, -k, true), move_on(still, 0, k, -k, false);
  BOOST_TEST(still.points.size() == 4u);
  BOOST_TEST(outflow(still, 0, 0, true) == 100);
  BOOST_TEST(outflow(still, 1, 0, false) == -100);
  // Further than its length: half of what is in it went in before half of the way.
  DistributionLine q = make_distribution_line({0, 1}, {0, 0}, 0, true, 1e-10);
  move_on(q, 2, 4, 0, true);
  BOOST_TEST(q.points.back().value == 2);
}

BOOST_AUTO_TEST_SUITE_END()
