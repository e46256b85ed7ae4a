// Jumps out of delays that vary and out of spatialDistribution: events at their instants (MLS 3.7.4.1, 3.7.4.2), which follow
// from the characteristics in closed form.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

const double pi = std::acos(-1.0);

bool happens(const Run& r, double time) {
  for (const double t : r.event_times())
    if (std::abs(t - time) < 1e-6) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(moving_jumps)

BOOST_AUTO_TEST_CASE(at_the_instant_of_another_event) {
  const Run r = run("model M Real x(start = 0, fixed = true), o, a(start = 0, fixed = true); Boolean b = time >= 0.5; equation der(x) = 1; der(a) = o; "
                    "(, o) = spatialDistribution(2, 0, x, true, initialPoints = {0, 0.5, 0.5, 1}, initialValues = {1, 1, 0, 0}); end M;", 1.4);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.at("o", 0.4) == 0);
  for (const double t : {0.51, 0.7, 0.99}) BOOST_TEST(r.at("o", t) == 1);
  BOOST_TEST(r.at("o", 1.1) == 2);
  BOOST_TEST(r.final("a") == 0.5 + 2*0.4, tolerance(1e-8));
  // Everything at one instant is one event (E5).
  BOOST_TEST(r.events() == 2u);
  BOOST_TEST(happens(r, 1));
}

BOOST_AUTO_TEST_CASE(a_sample_that_meets_a_jump) {
  // What is set every 0.25 s comes out 0.5 s later, when the next is set.
  const Run r = run("model M Real x(start = 0, fixed = true), o, a(start = 0, fixed = true); discrete Real s(start = 0, fixed = true); equation der(x) = 2; der(a) = o; "
                    "when sample(0.25, 0.25) then s = time; end when; (, o) = spatialDistribution(s, 0, x, true); end M;", 1.9);
  BOOST_REQUIRE(r.ended());
  for (int k = 3; k < 7; ++k) BOOST_TEST(r.at("o", 0.25*k + 0.1) == 0.25*(k - 2), tolerance(1e-12));
  // 0.25 from 0.75, ... 1 from 1.5, 1.25 from 1.75
  BOOST_TEST(r.final("a") == 0.25*(0.25 + 0.5 + 0.75 + 1) + 0.15*1.25, tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(a_flow_of_varying_speed) {
  // x = t + t^2/2; what jumps at 0.3 has come through where x is 1 more.
  const Run r = run("model M Real x(start = 0, fixed = true), o, a(start = 0, fixed = true); equation der(x) = 1 + time; der(a) = o; "
                    "(, o) = spatialDistribution(if time >= 0.3 then 1 else 0, 0, x, true); end M;", 2, 1e-8);
  BOOST_REQUIRE(r.ended());
  const double out = -1 + std::sqrt(1 + 2*(1 + 0.3 + 0.045));
  BOOST_TEST(happens(r, out));
  BOOST_TEST(r.final("a") == 2 - out, tolerance(1e-7));
  BOOST_TEST(r.events() == 2u);
}

BOOST_AUTO_TEST_CASE(a_flow_that_goes_the_other_way) {
  // From the end 1 to the end 0, at a speed that grows: x = -t^2.
  const Run r = run("model M Real x(start = 0, fixed = true), o, a(start = 0, fixed = true); equation der(x) = -2*time; der(a) = o; "
                    "(o, ) = spatialDistribution(7, if time >= 0.5 then 3 else 1, x, false, {0, 0.25, 0.25, 1}, {5, 5, 1, 1}); end M;", 1.5, 1e-8);
  BOOST_REQUIRE(r.ended());
  const double out = std::sqrt(1.25);
  BOOST_TEST(happens(r, 0.5));
  BOOST_TEST(happens(r, out));
  BOOST_TEST(r.final("a") == 5*0.5 + (out - 0.5) + 3*(1.5 - out), tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(a_flow_that_turns_round) {
  // x = sin(t) up to 1; a front that went in at 0 is at 0.5 at pi/2 when x turns, and leaves where it came from.
  const Run r = run("model M Real x(start = 0, fixed = true), v = cos(time), o, a(start = 0, fixed = true); equation der(x) = v; der(a) = o; "
                    "(o, ) = spatialDistribution(if x > 0.5 then 1 else 2, 9, x, v >= 0, {0, 1}, {2, 2}); end M;", 3, 1e-8);
  BOOST_REQUIRE(r.ended());
  // Going in: 2 up to pi/6, then 1. It is back at 0.5 at 5/6 pi, and what comes out then is what was there: 2 again.
  const double back = 5*pi/6;
  BOOST_TEST(happens(r, back));
  BOOST_TEST(r.at("o", 2.5) == 1, tolerance(1e-9));
  BOOST_TEST(r.at("o", back + 0.05) == 2, tolerance(1e-9));
  BOOST_TEST(r.final("a") == 2*pi/6 + (back - pi/6) + 2*(3 - back), tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_delay_that_grows) {
  // What is read is 0.7*t - 0.2: the jump at 0.3 comes out at 5/7.
  const Run r = run("model M Real u = if time >= 0.3 then 1 else 0, d = 0.2 + 0.3*time, y = delay(u, d, 2), x(start = 0, fixed = true); equation der(x) = y; end M;", 2);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(happens(r, 5/7.0));
  BOOST_TEST(r.final("x") == 2 - 5/7.0, tolerance(1e-9));
  BOOST_TEST(r.events() == 2u);
}

BOOST_AUTO_TEST_CASE(a_delay_by_a_state_and_two_jumps) {
  // d = exp(-t); pulses of u at 0.5 and 0.6 come out where t - exp(-t) is that.
  const Run r = run("model M Real u = if time >= 0.5 and time < 0.6 then 2 else 1, d(start = 1, fixed = true), y, x(start = 0, fixed = true); equation "
                    "der(d) = -d; y = delay(u, d, 1); der(x) = y; end M;", 2, 1e-8);
  BOOST_REQUIRE(r.ended());
  const auto out = [](double read) {
    double t = 1;
    for (int k = 0; k < 50; ++k) t -= (t - std::exp(-t) - read)/(1 + std::exp(-t));
    return t;
  };
  BOOST_TEST(happens(r, out(0.5)));
  BOOST_TEST(happens(r, out(0.6)));
  BOOST_TEST(r.final("x") == 2 + out(0.6) - out(0.5), tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(a_delay_that_outruns_time) {
  // What is read from 0.76 s on is t - d = 0.5 + 0.4*sin(2*t - 1): the jump at 0.7 is passed again and again, both ways.
  const Run r = run("model M Real u = if time >= 0.7 then 1 else 0, d = max(0.05, time - 0.5 - 0.4*sin(2*time - 1)), y = delay(u, d, 10), x(start = 0, fixed = true); "
                    "equation der(x) = if time > 1 then y else 0; end M;", 8, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  // sin(2*t - 1) > 1/2 for t from (pi/6 + 1)/2 to (5/6 pi + 1)/2, and again every pi.
  double area = 0;
  for (int k = 0; k < 3; ++k) {
    const double from = (pi/6 + 1)/2 + k*pi, to = (5*pi/6 + 1)/2 + k*pi;
    if (from > 1) BOOST_TEST(happens(r, from));
    if (to < 8) BOOST_TEST(happens(r, to));
    area += std::max(0.0, std::min(to, 8.0) - std::max(from, 1.0));
  }
  BOOST_TEST(r.final("x") == area, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_delay_that_jumps) {
  // From 0.2 to 0.8 at 1 s: before the jump at 0.5 again, until 1.3 s.
  const Run r = run("model M Real u = if time >= 0.5 then 1 else 0, d = if time >= 1 then 0.8 else 0.2, y = delay(u, d, 2), x(start = 0, fixed = true); "
                    "Integer n(start = 0, fixed = true); equation der(x) = y; when y > 0.5 then n = pre(n) + 1; end when; end M;", 2);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 0.9) == 1);
  BOOST_TEST(r.at("y", 1) == 0);
  BOOST_TEST(happens(r, 1.3));
  BOOST_TEST(r.final("x") == 0.3 + 0.7, tolerance(1e-9));
  BOOST_TEST(r.final("n") == 2);
}

BOOST_AUTO_TEST_CASE(a_discrete_expression_comes_out_at_events_alone) {
  // MLS 3.8.4, whatever the delay time. What is read is 0.9*t - 0.2.
  const Run r = run("model M Boolean b = time >= 0.3 and time < 1, c = delay(b, 0.2 + 0.1*time, 1); Integer k = if time >= 0.6 then 7 else 2, l = delay(k, 0.2 + 0.1*time, 1), n(start = 0, fixed = true); "
                    "equation when {c, not c} then n = pre(n) + 1; end when; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  for (const double t : {0.3, 0.6, 1.0}) BOOST_TEST(happens(r, (t + 0.2)/0.9));
  BOOST_TEST(r.final("n") == 2);
  BOOST_TEST(r.at("l", 0.88) == 2);
  BOOST_TEST(r.at("l", 0.9) == 7);
  BOOST_TEST(r.events() == 6u);
}

BOOST_AUTO_TEST_CASE(under_noevent_nothing_happens) {
  const Run r = run("model M Real u = if time >= 0.3 then 1 else 0, d = 0.2 + 0.3*time, y = noEvent(delay(u, d, 2)); end M;", 2);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.events() == 1u);
  BOOST_TEST(r.at("y", 0.7) == 0);
  BOOST_TEST(r.at("y", 0.74) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
