// A run piece by piece: the same as in one piece, and where it stands in between.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models.hpp"
#include "runtime/simulation.hpp"

using namespace mosim::test;

BOOST_AUTO_TEST_SUITE(simulation)

BOOST_AUTO_TEST_CASE(steps_to_the_end_are_the_whole_run) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 3;
  o.record_events = true;
  const Result whole = simulate(p, o);
  Simulation s(p, o);
  std::size_t steps = 0;
  for (double before = -1; s.step(o.stop); ++steps) {
    BOOST_TEST(s.time() >= before);
    before = s.time();
  }
  BOOST_TEST(steps > 20u);
  BOOST_TEST(s.time() == 3);
  const Result pieces = s.finish();
  BOOST_CHECK(pieces.ending == Ending::stop_time);
  BOOST_TEST((pieces.trajectory.values == whole.trajectory.values));
  BOOST_TEST(pieces.events.size() == whole.events.size());
  BOOST_TEST(pieces.statistics.steps == whole.statistics.steps);
}

BOOST_AUTO_TEST_CASE(it_stands_where_it_was_sent) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 3;
  o.tolerance = 1e-9;
  Simulation s(p, o);
  const double t1 = std::sqrt(2 / 9.81);
  for (const double t : {0.1, 0.4, 0.4, t1 + 0.01, 1.0, 2.9}) {
    BOOST_TEST(s.advance(t));
    BOOST_TEST(s.time() == t);
  }
  BOOST_TEST(s.advance(0.5));   // there already
  BOOST_TEST(s.time() == 2.9);
  BOOST_TEST(!s.advance(10));
  BOOST_TEST(s.time() == 3);
  const Result pieces = s.finish(), whole = simulate(p, o);
  BOOST_CHECK(pieces.ending == Ending::stop_time);
  BOOST_TEST(pieces.trajectory.rows() == whole.trajectory.rows());
  BOOST_TEST(std::abs(pieces.trajectory.values[pieces.trajectory.values.size() - 1] - whole.trajectory.values.back()) < 1e-6);
}

BOOST_AUTO_TEST_CASE(one_that_is_ended_early_keeps_its_rows) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = 3;
  Simulation s(p, o);
  BOOST_TEST(s.advance(1));
  const Result r = s.finish();
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(r.time == 1);
  BOOST_TEST(at(r, r.trajectory.rows() - 1, 0) <= 1);
  BOOST_TEST(at(r, r.trajectory.rows() - 1, 0) > 0.99);
}

BOOST_AUTO_TEST_CASE(one_that_cannot_begin) {
  const Program p = bouncing_ball();
  Options o;
  o.stop = -1;
  Simulation s(p, o);
  BOOST_TEST(!s.goes_on());
  BOOST_TEST(!s.step(1));
  const Result r = s.finish();
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(r.messages.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
