// The witnesses' own integrator, against closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

BOOST_AUTO_TEST_SUITE(independent_integrator)

BOOST_AUTO_TEST_CASE(oscillation) {
  const auto f = [](double t, const State& x, State& dx) { dx = {x[1], -x[0] + 0 * t}; };
  const Point p = integrate(f, {0, {1, 0}}, 20);
  BOOST_TEST(std::fabs(p.x[0] - std::cos(20.0)) < 1e-11);
  BOOST_TEST(std::fabs(p.x[1] + std::sin(20.0)) < 1e-11);
  BOOST_TEST(p.t == 20);
  BOOST_TEST(!p.hit);
}

BOOST_AUTO_TEST_CASE(circuit) {
  const auto f = [](double, const State& x, State& dx) { dx = {(x[1] - x[0] / 100) / 1e-3, 24 - x[0]}; };
  for (const double t : {0.01, 0.3, 1.0}) {
    const Point p = integrate(f, {0, {0, 0}}, t);
    BOOST_TEST(std::fabs(p.x[0] - rlc(t)[0]) < 1e-10);
    BOOST_TEST(std::fabs(p.x[1] - rlc(t)[1]) < 1e-11);
  }
}

BOOST_AUTO_TEST_CASE(events_are_located) {
  const auto f = [](double, const State& x, State& dx) { dx = {x[1], -x[0]}; };
  const auto guard = [](double, const State& x) { return -x[0]; };   // cos crosses zero downwards at pi/2
  Point p = integrate(f, {0, {1, 0}}, 20, guard);
  const double pi = std::acos(-1.0);
  BOOST_TEST(p.hit);
  BOOST_TEST(std::fabs(p.t - pi / 2) < 1e-12);
  // Non-negative now: the next sign change is a whole turn later.
  p = integrate(f, p, 20, guard);
  BOOST_TEST(p.hit);
  BOOST_TEST(std::fabs(p.t - 2.5 * pi) < 1e-11);
  p = integrate(f, p, p.t + 1, guard);
  BOOST_TEST(!p.hit);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace mosim::golden
