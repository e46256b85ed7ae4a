// The bouncing balls of the book, against the closed form: impacts at t(n+1) = t(n) + 2*t1*e^n.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models.hpp"

using namespace mosim::test;

namespace {
const double t1 = std::sqrt(2 / 9.81);

// Instants at which v changes its sign.
std::vector<double> impacts(const Program& p, const Result& r) {
  std::vector<double> times;
  const int v = column(p, r, "v");
  for (std::size_t row = 1; row < r.trajectory.rows(); ++row)
    if (at(r, row, 0) == at(r, row - 1, 0) && at(r, row - 1, v) < 0 && at(r, row, v) > 0) times.push_back(at(r, row, 0));
  return times;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(ball)

BOOST_AUTO_TEST_CASE(impacts_follow_the_closed_form) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 3;
  o.tolerance = 1e-8;
  const Result r = simulate(p, o);
  BOOST_CHECK(r.ending == Ending::stop_time);
  const std::vector<double> times = impacts(p, r);
  double expected = t1, flight = 2 * t1 * 0.8;
  BOOST_TEST(times.size() == 6u);
  for (const double time : times) {
    BOOST_TEST(std::abs(time - expected) < 1e-6);
    expected += flight;
    flight *= 0.8;
  }
  BOOST_TEST(r.zeno.empty());  // 3 s is before the accumulation
}

BOOST_AUTO_TEST_CASE(falls_after_the_accumulation) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 5;
  const Result r = simulate(p, o);
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(std::abs(last(p, r, "h") + 9.81 / 2 * std::pow(5 - 9 * t1, 2)) < 0.05);
  BOOST_REQUIRE(r.zeno.size() == 1u);
  BOOST_TEST(std::abs(r.zeno[0].ratio - 0.8) < 0.004);
  BOOST_TEST(std::abs(r.zeno[0].accumulation - 9 * t1) < 1e-3);
  BOOST_TEST(r.zeno[0].last < 9 * t1);
  BOOST_TEST(r.zeno[0].events > 40u);
  BOOST_TEST(r.chattering.empty());
}

BOOST_AUTO_TEST_CASE(other_restitutions) {
  for (const double e : {0.3, 0.5, 0.9, 0.95}) {
    const Program p = bouncing_ball(e);
    Options o;
    const double accumulation = t1 * (1 + e) / (1 - e);
    o.stop = 1.2 * accumulation;
    const Result r = simulate(p, o);
    BOOST_TEST_CONTEXT("e = " << e) {
      BOOST_CHECK(r.ending == Ending::stop_time);
      BOOST_REQUIRE(r.zeno.size() == 1u);
      BOOST_TEST(r.zeno[0].ratio == e, boost::test_tools::tolerance(0.005));
      BOOST_TEST(r.zeno[0].accumulation == accumulation, boost::test_tools::tolerance(1e-3));
      BOOST_TEST(r.chattering.empty());
    }
  }
}

// E4: a larger band ends the bouncing earlier, where the rebound no longer rises above it.
BOOST_AUTO_TEST_CASE(hysteresis_option) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 5;
  o.hysteresis = 1e-2;
  const Result r = simulate(p, o);
  // Heights are 0.64^n; the last rebound above 1e-2 is n = 10.
  BOOST_TEST(impacts(p, r).size() == 11u);
}

BOOST_AUTO_TEST_CASE(stable_ball_rests) {
  const Program p = stable_ball();
  Options o;
  o.stop = 10;
  const Result r = simulate(p, o);
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(std::abs(last(p, r, "h") + 1e-3) < 2e-4);
  BOOST_TEST(last(p, r, "v") == 0.0);
  BOOST_TEST(last(p, r, "done") == 1.0);
  BOOST_TEST(r.statistics.state_events < 120u);
}

BOOST_AUTO_TEST_CASE(rows_at_an_event) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 1;
  o.intervals = 10;
  o.record_events = true;
  const Result r = simulate(p, o);
  // Two rows at the impact, none where the relation is armed again, besides the grid of 11.
  BOOST_TEST(r.trajectory.rows() == 13u);
  BOOST_TEST(r.statistics.state_events == 1u);
  BOOST_TEST(r.statistics.rearmings == 1u);
  BOOST_TEST(at(r, r.trajectory.rows() - 1, 0) == 1.0);
  BOOST_TEST(at(r, 3, 0) == 0.30000000000000004, boost::test_tools::tolerance(1e-15));
  BOOST_REQUIRE(r.events.size() == 3u);
  BOOST_CHECK(r.events[0].kind == EventKind::initial);
  const EventRecord& impact = r.events[1];
  BOOST_CHECK(impact.kind == EventKind::state);
  BOOST_TEST(impact.number == 1u);
  BOOST_REQUIRE(impact.flips.size() == 1u);
  BOOST_TEST(impact.flips[0].value);
  BOOST_TEST(!impact.flips[0].hysteresis);
  BOOST_REQUIRE(impact.fired.size() == 1u);
  BOOST_TEST(impact.fired[0].elements.size() == 1u);
  BOOST_REQUIRE(impact.resets.size() == 1u);
  BOOST_TEST(impact.resets[0].after == -0.8 * impact.resets[0].before, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(r.events[2].flips.at(0).hysteresis);
}

BOOST_AUTO_TEST_CASE(same_input_same_bytes) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 5;
  BOOST_TEST(simulate(p, o).trajectory.values == simulate(p, o).trajectory.values);
}

BOOST_AUTO_TEST_CASE(adams) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 3;
  o.tolerance = 1e-8;
  o.solver = Solver::adams;
  const std::vector<double> times = impacts(p, simulate(p, o));
  BOOST_REQUIRE(times.size() == 6u);
  BOOST_TEST(std::abs(times[1] - (t1 + 1.6 * t1)) < 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
