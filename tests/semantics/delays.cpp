// delay (MLS 3.7.4.1): what jumps going in jumps coming out, at its instant.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

bool among(const std::vector<double>& times, double time) { return std::find(times.begin(), times.end(), time) != times.end(); }

// The left and the right limit of a variable where two rows stand.
std::pair<double, double> limits(const Run& r, const std::string& name, double time) {
  const double after = r.at(name, time);
  const auto& t = r.result.trajectory;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    if (r.program.variables[t.columns[c]].name == name)
      for (std::size_t row = 0; row < t.rows(); ++row)
        if (t.values[row * t.width()] == time) return {t.values[row * t.width() + c + 1], after};
  return {after, after};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(delays)

BOOST_AUTO_TEST_CASE(a_step_comes_out_at_its_instant) {
  const Run r = run("model M Real u = if time >= 0.3 then 1 else 0, y = delay(u, 0.25), x(start = 0, fixed = true); equation der(x) = y; end M;");
  BOOST_REQUIRE(r.ended());
  const double instant = 0.3 + 0.25;
  BOOST_TEST(among(r.event_times(), instant));
  BOOST_TEST(limits(r, "y", instant).first == 0);
  BOOST_TEST(limits(r, "y", instant).second == 1);
  BOOST_TEST(r.final("x") == 1 - instant, tolerance(1e-12));
  BOOST_TEST(r.events() == 2u);
}

BOOST_AUTO_TEST_CASE(a_step_goes_through_two_delays) {
  const Run r = run(
      "model M Real u = if time >= 0.3 then 1 else 0, y = delay(u, 0.2), z = delay(2*y + time, 0.25), x(start = 0, fixed = true); "
      "equation der(x) = z; end M;");
  BOOST_REQUIRE(r.ended());
  const double instant = 0.3 + 0.2 + 0.25;
  BOOST_TEST(r.events() == 3u);
  BOOST_TEST(among(r.event_times(), instant));
  BOOST_TEST(limits(r, "z", instant).first == 0.5, tolerance(1e-12));
  BOOST_TEST(limits(r, "z", instant).second == 2.5, tolerance(1e-12));
  // z = 0 to 0.25, then time - 0.25 and after the step 2 more.
  BOOST_TEST(r.final("x") == 0.75*0.75/2 + 2*(1 - instant), tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(what_a_when_clause_sets_and_what_is_sampled_comes_out_later) {
  const Run r = run(
      "model M discrete Real d(start = 3, fixed = true), s(start = 0, fixed = true); Real y = delay(d, 0.5), z = delay(s, 0.25, 1), x(start = 0, fixed = true); "
      "equation der(x) = z; when time > 0.2 then d = 7; end when; when sample(0, 0.1) then s = time; end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 0.69) == 3);
  const double instant = 7*0.1;   // together with a tick
  BOOST_TEST(limits(r, "y", instant).first == 3);
  BOOST_TEST(limits(r, "y", instant).second == 7);
  // 0.1 from 0.35, ... 0.6 from 0.85, 0.7 from 0.95
  double area = 0.7*0.05;
  for (int k = 1; k <= 6; ++k) area += k*0.01;
  BOOST_TEST(r.final("x") == area, tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(ticks_and_what_comes_out_at_one_instant_are_one_event) {
  // 0.1 + 0.2 is not 3*0.1.
  const Run r = run("model M Boolean b = time >= 0.1; Real y = delay(if b then 1 else 0, 0.2); discrete Real s; equation when sample(0.1, 0.1) then s = y; end when; end M;", 0.55);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.events() == 5u);
  BOOST_TEST(r.at("s", 0.29) == 0);
  BOOST_TEST(r.at("s", 0.31) == 1);
}

BOOST_AUTO_TEST_CASE(a_delayed_boolean_is_discrete) {
  const Run r = run(
      "model M Boolean b = time > 0.3 and time < 0.4, c = delay(b, 0.5); Integer n(start = 0, fixed = true), m = delay(n, 0.05); "
      "equation when c then n = pre(n) + 1; elsewhen not c then n = pre(n) + 10; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.at("n", 0.79) == 0);
  BOOST_TEST(r.at("n", 0.81) == 1);
  BOOST_TEST(r.at("m", 0.84) == 0);
  BOOST_TEST(r.at("m", 0.86) == 1);
  BOOST_TEST(r.final("n") == 11);
  BOOST_TEST(r.final("m") == 11);
}

BOOST_AUTO_TEST_CASE(a_reinitialised_state_jumps_later) {
  const Run r = run(
      "model M Real x(start = 0, fixed = true), y = delay(x, 0.5); equation der(x) = 1; when time >= 0.25 then reinit(x, 5); end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(limits(r, "y", 0.75).first == 0.25, tolerance(1e-9));
  BOOST_TEST(limits(r, "y", 0.75).second == 5, tolerance(1e-9));
  BOOST_TEST(r.final("y") == 5.25, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_jump_that_goes_round_dies_away) {
  // y = u - y(t - 0.1)/4: a step of 1 at 0.05 is 1, 3/4, 13/16, ... 4/5, and its jumps are soon none.
  const Run r = run("model M Real y, u = if time >= 0.05 then 1 else 0; equation y = u - delay(y, 0.1)/4; end M;", 10);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 0.1) == 1);
  BOOST_TEST(r.at("y", 0.2) == 0.75);
  BOOST_TEST(r.at("y", 0.3) == 0.8125);
  BOOST_TEST(r.final("y") == 0.8, tolerance(1e-9));
  BOOST_TEST(r.events() > 10u);
  BOOST_TEST(r.events() < 25u);
}

BOOST_AUTO_TEST_CASE(under_noevent_and_for_constants_nothing_happens) {
  const Run quiet = run("model M Real u = if time >= 0.3 then 1 else 0, y = noEvent(delay(u, 0.25)); end M;");
  BOOST_REQUIRE(quiet.ended());
  BOOST_TEST(quiet.events() == 1u);
  BOOST_TEST(quiet.at("y", 0.54) == 0);
  BOOST_TEST(quiet.at("y", 0.56) == 1);
  const Run constant = run("model M parameter Real p = 3; parameter Real q = delay(p, 1); Real y = q*time; end M;");
  BOOST_REQUIRE_MESSAGE(constant.ended(), constant.diagnostics);
  BOOST_TEST(constant.final("y") == 3);
}

BOOST_AUTO_TEST_CASE(no_delay_at_all_is_no_endless_event) {
  const Run r = run("model M parameter Real T = 0; Real u = if time >= 0.3 then 1 else 0, y = delay(u, T); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  BOOST_TEST(r.at("y", 0.29) == 0);
  BOOST_TEST(r.final("y") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
