// HybridSystems, beyond what test_cases.cpp asks of all models.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "tests/golden/cases.hpp"
#include "tests/golden/hybrid_witness.hpp"

namespace mosim::golden {
namespace {

BOOST_AUTO_TEST_SUITE(hybrid_systems)

const std::string folder = "HybridSystems/";

Run good(const std::string& file, const Settings& settings) {
  Run run = run_file(folder + file, settings);
  BOOST_TEST_REQUIRE(run.program.has_value(), run.diagnostics);
  BOOST_TEST_REQUIRE((run.result.ending == runtime::Ending::stop_time), run.messages());
  return run;
}

std::vector<const runtime::EventRecord*> contacts_of(const runtime::Result& result) {
  std::vector<const runtime::EventRecord*> list;
  for (const runtime::EventRecord& e : result.events)
    if (!e.resets.empty()) list.push_back(&e);
  return list;
}

// The witness between contacts, in closed form: g/2*t^2 for the ball; for the platform, whose characteristic root -1 is
// double, (c1 + c2*t)*exp(-t) - cos(t)/2.
BOOST_AUTO_TEST_CASE(witness_of_the_platform) {
  const std::vector<Point> list = platform_contacts(18);
  BOOST_TEST_REQUIRE(list.size() > 30u);
  for (std::size_t i = 1; i < list.size(); ++i) {
    const Point& a = list[i - 1];
    const double t = list[i].t, s = t - a.t;
    const double height = a.x[0] + a.x[1] * s - 0.4 * s * s, speed = a.x[1] - 0.8 * s;
    const double c1 = a.x[2] + std::cos(a.t) / 2, c2 = a.x[3] - std::sin(a.t) / 2 + c1;
    const double platform = (c1 + c2 * s) * std::exp(-s) - std::cos(t) / 2;
    const double rate = (c2 - c1 - c2 * s) * std::exp(-s) + std::sin(t) / 2;
    BOOST_TEST(std::fabs(height - platform) < 1e-11);
    BOOST_TEST(std::fabs(list[i].x[0] - height) < 1e-11);
    BOOST_TEST(std::fabs(list[i].x[1] - (speed <= 0 ? 0.8 * -speed : speed)) < 1e-10);
    BOOST_TEST(std::fabs(list[i].x[3] + 0.8 * std::fabs(rate)) < 1e-10);
  }
}

// What is wrong at a contact grows from 16 s on, a hundredfold and more up to 18 s, as contacts in quick succession
// decide whether the ball gets away from the platform: there, only the number of contacts and the trend are told.
BOOST_AUTO_TEST_CASE(contacts_of_ball_and_platform) {
  struct Promise {
    double tolerance, until_14, last;   // s
  };
  const std::vector<Point> witness = platform_contacts(18);
  for (const auto& [tolerance, until_14, last] : {Promise{1e-6, 5e-5, 1}, {1e-8, 1e-5, 0.02}, {1e-9, 1e-6, 0.005}}) {
    const Run run = good("CoupledBallPlatform.mo", {.start = 0, .stop = 18, .tolerance = tolerance});
    const auto contacts = contacts_of(run.result);
    BOOST_TEST_REQUIRE(contacts.size() == witness.size() - 1);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const runtime::EventRecord& e = *contacts[i];
      const Point& expected = witness[i + 1];
      const double allowed = expected.t < 14 ? until_14 : last;
      BOOST_TEST(std::fabs(e.time - expected.t) < allowed,
                 "contact " << i + 1 << " at " << e.time << ", not " << expected.t << ", with " << tolerance);
      // Both sub-systems jump in one event, each from its own left limit, and not again in a later round of it.
      BOOST_TEST_REQUIRE(e.resets.size() == 2u);
      BOOST_TEST(e.fired.size() == 2u);
      const bool ball_first = e.resets[0].after > 0;
      const auto &ball = e.resets[ball_first ? 0 : 1], &platform = e.resets[ball_first ? 1 : 0];
      BOOST_TEST(ball.before < 0);
      BOOST_TEST(ball.after == 0.8 * std::fabs(ball.before));
      BOOST_TEST(platform.after == -0.8 * std::fabs(platform.before));
      BOOST_TEST(std::fabs(ball.after - expected.x[1]) < allowed);
      BOOST_TEST(std::fabs(platform.after - expected.x[3]) < allowed);
    }
    // They come closer from contact to contact without end in sight, and part again: nothing piles up.
    BOOST_TEST(run.result.zeno.empty());
    BOOST_TEST(run.result.chattering.empty());
    const std::size_t ball = run.column("xi1"), platform = run.column("eta1");
    for (std::size_t r = 0; r < run.rows(); ++r) BOOST_TEST_REQUIRE(run.at(r, ball) > run.at(r, platform) - 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(shortest_time_between_contacts) {
  const std::vector<Point> list = platform_contacts(18);
  std::size_t shortest = 2;
  for (std::size_t i = 2; i < list.size(); ++i)
    if (list[i].t - list[i - 1].t < list[shortest].t - list[shortest - 1].t) shortest = i;
  BOOST_TEST(list[shortest].t == 15.9797, boost::test_tools::tolerance(1e-5));
  BOOST_TEST(list[shortest].t - list[shortest - 1].t > 0.012);
}

// A horizon in both of hybrid time's directions, T = 18 and J = 20: what there is, is the same run.
BOOST_AUTO_TEST_CASE(horizon_in_events) {
  Run run = good("CoupledBallPlatform.mo", {.start = 0, .stop = 18, .tolerance = 1e-8});
  const auto all = contacts_of(run.result);
  runtime::Options options;
  options.stop = 18;
  options.tolerance = 1e-8;
  options.intervals = 2000;
  options.record_events = true;
  options.maximum_events = 20;
  const runtime::Result result = runtime::simulate(*run.program, options);
  BOOST_TEST((result.ending == runtime::Ending::maximum_events));
  BOOST_TEST_REQUIRE(!result.events.empty());
  BOOST_TEST(result.events.back().number == 20u);
  BOOST_TEST(result.events.back().time == result.time);
  const auto first = contacts_of(result);
  BOOST_TEST(first.size() >= 10u);
  BOOST_TEST_REQUIRE(first.size() <= 20u);
  for (std::size_t i = 0; i < first.size(); ++i) BOOST_TEST(first[i]->time == all[i]->time);
}

// A platform that comes up from below faster than the ball moves up: the ball's velocity stays, the platform's turns.
BOOST_AUTO_TEST_CASE(ball_that_moves_up) {
  const Run run = good("CoupledBallPlatform.mo",
                       {.start = 0, .stop = 0.5, .tolerance = 1e-8,
                        .set = {"ball.xi2.start=0.5", "ball.xi1.start=0.1", "platform.eta2.start=2"}});
  const auto contacts = contacts_of(run.result);
  BOOST_TEST_REQUIRE(!contacts.empty());
  const Point hit = integrate(ball_and_platform, {0, {0.1, 0.5, 0, 2}}, 0.5,
                              [](double, const State& x) { return x[2] - x[0]; });
  BOOST_TEST_REQUIRE(hit.hit);
  BOOST_TEST_REQUIRE(hit.x[1] > 0);
  BOOST_TEST(std::fabs(contacts[0]->time - hit.t) < 1e-6);
  const auto follow_ball = [&](double t) { return 0.1 + 0.5 * t - 0.4 * t * t; };
  BOOST_TEST(contacts.size() == 1u);
  BOOST_TEST(std::fabs(run.last("xi1") - follow_ball(0.5)) < 1e-6);
  BOOST_TEST(std::fabs(run.value("eta2", contacts[0]->time) + 0.8 * hit.x[3]) < 1e-5);
}

// Every disturbance acts where it says: at a contact, and in flight.
BOOST_AUTO_TEST_CASE(disturbances) {
  const Run run = good("CoupledBallPlatform.mo",
                       {.start = 0, .stop = 2, .tolerance = 1e-8,
                        .set = {"amplitude=0", "v11=-0.2", "v12=0.25", "v22=-0.125"}});
  const auto contacts = contacts_of(run.result);
  BOOST_TEST_REQUIRE(contacts.size() == 1u);
  const double fall = std::sqrt(2.0);   // 1 m at 1 m/s2, onto a platform at rest at 0
  BOOST_TEST(std::fabs(contacts[0]->time - fall) < 1e-6);
  BOOST_TEST(std::fabs(run.value("xi2", fall + 1e-5) - (0.8 * fall + 0.25)) < 1e-2);
  BOOST_TEST(std::fabs(run.value("eta2", fall + 1e-5) + 0.125) < 1e-2);
  const double s = 2 - fall;
  BOOST_TEST(std::fabs(run.last("xi1") - (0.8 * fall + 0.25) * s + 0.5 * s * s) < 1e-5);
  BOOST_TEST(std::fabs(run.last("eta1") + 0.125 * s * std::exp(-s)) < 1e-5);
}

/// The rows after the first, second, ... tick of a sampled model, by what its step counter says.
std::vector<std::size_t> rows_of_steps(const Run& run, const std::string& counter) {
  std::vector<std::size_t> rows;
  const std::size_t n = run.column(counter);
  for (std::size_t r = 1; r < run.rows(); ++r)
    if (run.at(r, n) != run.at(r - 1, n)) rows.push_back(r);
  return rows;
}

BOOST_AUTO_TEST_CASE(steps_of_the_nonsmooth_scheme) {
  const Run run = good("NonsmoothBall.mo", {.start = 0, .stop = 10});
  const std::vector<SchemeStep> steps = newmark_ball(1e-2, 1000);
  const std::vector<std::size_t> rows = rows_of_steps(run, "n");
  BOOST_TEST_REQUIRE(rows.size() == 1000u);
  double smallest = 1, least = steps[0].etot_alg, most = least;
  int contacts = 0;
  for (std::size_t k = 0; k <= 1000; ++k) {
    const std::size_t row = k == 0 ? 0 : rows[k - 1];
    const State expected = scheme_values(steps[k]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double found = run.at(row, run.column(scheme_names()[i]));
      BOOST_TEST(std::fabs(found - expected[i]) <= 1e-12,
                 scheme_names()[i] << " is " << found << " after step " << k << ", not " << expected[i]);
    }
    smallest = std::min(smallest, run.at(row, run.column("u")));
    const double energy = run.at(row, run.column("etot_alg"));
    least = std::min(least, energy);
    most = std::max(most, energy);
    contacts += run.at(row, run.column("contact")) != 0;
    BOOST_TEST(std::fabs(run.time(row) - static_cast<double>(k) * 1e-2) < 1e-14);
  }
  BOOST_TEST(contacts == 164);
  BOOST_TEST(run.last("contacts") == 164);
  BOOST_TEST(std::fabs(smallest - -0.001235822749995407) <= 1e-12, smallest);
  // m*g*u0 less dt^2/8*m*g^2, from the first step to the last.
  BOOST_TEST(most - least <= 1e-12);
  BOOST_TEST(std::fabs(least - (9.81 - 1e-4 / 8 * 9.81 * 9.81)) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(a_ball_with_mass_and_radius) {
  const Run light = good("NonsmoothBall.mo", {.start = 0, .stop = 2});
  const Run heavy = good("NonsmoothBall.mo", {.start = 0, .stop = 2, .set = {"m=4", "r=0.25"}});
  // Powers of two: equal to the last bit.
  for (const double t : {0.305, 0.505, 1.505, 2.0}) {
    BOOST_TEST(heavy.value("u", t) == light.value("u", t));
    BOOST_TEST(heavy.value("centre", t) == light.value("u", t) + 0.25);
    BOOST_TEST(heavy.value("lambda", t) == 4 * light.value("lambda", t));
    BOOST_TEST(heavy.value("etot_alg", t) == 4 * light.value("etot_alg", t));
  }
}

// What the scheme may part from the ball that bounces exactly, up to `stop`, in the first order of dt.
//
// Between contacts its steps lie on an exact parabola. Say a step with contact begins at u > 0 with speed s, and the
// parabola reaches the ground after a part p of the step. The step ends with speed e*s at u - dt*(1 - e)/2*s, thus on a
// parabola that left the ground dt*(1 + e)/e*(1/2 - p) late, with a speed that differs from e times that of the impact
// by g*(1 - e)*dt*((1 + e)*p - 1/2)/e. A difference in speed makes the flight longer or shorter by 2/g of it.
double bound_of_first_order(double dt, double stop, double e) {
  constexpr double g = 9.81;
  double speed = std::sqrt(2 * g), wrong_speed = 0, late = 0, bound = 0;
  for (double t = std::sqrt(2 / g); t < stop;) {
    wrong_speed = e * wrong_speed + g * (1 - e) * (0.5 + e) / e * dt;
    late += (1 + e) / (2 * e) * dt;
    speed *= e;
    const double flight = 2 * speed / g;
    // Twice, as the one may fly already while the other still falls.
    bound = std::max(bound, 2 * (speed + wrong_speed) * late + wrong_speed * flight);
    late += 2 / g * wrong_speed;
    t += flight;
  }
  return bound;
}

BOOST_AUTO_TEST_CASE(scheme_beside_the_event_driven_ball) {
  std::vector<double> largest;
  for (const double dt : {1e-2, 1e-3, 1e-4}) {
    const int steps = static_cast<int>(std::lround(5 / dt));
    const Run run = good("NonsmoothBallComparison.mo", {.start = 0, .stop = 5, .tolerance = 1e-10, .intervals = 100,
                                                        .set = {"dt=" + std::to_string(dt)}});
    const std::vector<SchemeStep> scheme = newmark_ball(dt, steps);
    const std::vector<std::size_t> rows = rows_of_steps(run, "scheme.n");
    BOOST_TEST_REQUIRE(rows.size() == static_cast<std::size_t>(steps));
    const std::size_t u = run.column("scheme.u"), v = run.column("scheme.v"), h = run.column("ball.h");
    double expected = 0, unlike = 0, wrong = 0;
    for (int k = 1; k <= steps; ++k) {
      const std::size_t row = rows[k - 1];
      const double exact = bouncing_ball(k * dt, 0.9)[0];
      expected = std::max(expected, std::fabs(scheme[k].u - exact));
      unlike = std::max({unlike, std::fabs(run.at(row, u) - scheme[k].u), std::fabs(run.at(row, v) - scheme[k].v)});
      wrong = std::max(wrong, std::fabs(run.at(row, h) - exact));
    }
    BOOST_TEST(unlike <= 1e-12, "the scheme with " << dt << " differs by " << unlike);
    BOOST_TEST(wrong < 2e-5, "the ball beside the scheme with " << dt << " is off by " << wrong);
    BOOST_TEST(std::fabs(run.last("largest") - expected) < 2e-5, run.last("largest") << ", not " << expected);
    const double bound = bound_of_first_order(dt, 5, 0.9);
    BOOST_TEST(run.last("largest") < bound, run.last("largest") << " with " << dt << ", at most " << bound);
    BOOST_TEST_MESSAGE("dt " << dt << ": largest " << run.last("largest") << ", witness " << expected << ", bound "
                             << bound << ", ball off by " << wrong << ", scheme by " << unlike);
    // The impacts of the ball, in closed form.
    const std::vector<double> exact = impacts(5, 0.9);
    const auto found = contacts_of(run.result);
    BOOST_TEST_REQUIRE(found.size() == exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) BOOST_TEST(std::fabs(found[i]->time - exact[i]) < 1e-5);
    largest.push_back(run.last("largest"));
  }
  // First order: a tenth of dt brings about a tenth, more or less, as impacts fall anywhere into a step.
  for (std::size_t i = 1; i < largest.size(); ++i) BOOST_TEST(largest[i] < largest[i - 1] / 5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace mosim::golden
