// Sliding (E11) against what follows from the surface: friction that holds, and what is discrete on the way.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

const std::string coulomb =
    "model M Real v(start = 1, fixed = true); parameter Real mu = 3, F0 = 2; Real f; equation "
    "f = if v > 0 then mu else if v < 0 then -mu else 0; der(v) = F0*sin(time) - f; ";

// The root of an increasing function.
template <class F>
double root(F f, double low, double high) {
  for (int k = 0; k < 200; ++k) (f(0.5*(low + high)) < 0 ? low : high) = 0.5*(low + high);
  return low;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sliding)

BOOST_AUTO_TEST_CASE(friction_holds) {
  const Run r = run(coulomb + "end M;", 10);
  BOOST_REQUIRE(r.ended());
  // Until it rests v = 1 + 2*(1 - cos(t)) - 3*t.
  const double rests = root([](double t) { return 3*t - 1 - 2*(1 - std::cos(t)); }, 0, 1);
  for (const double t : {1.0, 3.0, 5.0, 7.0, 9.0}) {
    BOOST_TEST(std::abs(r.at("v", t)) < 1e-9);
    BOOST_TEST(std::abs(r.at("f", t) - 2*std::sin(t)) < 1e-9);
  }
  BOOST_TEST(r.events() < 200u);
  BOOST_REQUIRE(r.result.chattering.size() == 1u);
  const auto& spell = r.result.chattering[0];
  BOOST_TEST(spell.from == rests, tolerance(1e-6));
  BOOST_TEST(spell.to == 10);
  BOOST_TEST(spell.slid == 10 - rests, tolerance(1e-3));
  BOOST_REQUIRE(spell.with.size() == 1u);
  BOOST_TEST(spell.with[0] != spell.relation);
  BOOST_TEST(spell.epsilon <= 1e-6);
}

BOOST_AUTO_TEST_CASE(friction_lets_go_where_the_force_is_too_large) {
  // 4*sin(t) is more than 3 from asin(3/4) on, and v grows by 4*(cos(a) - cos(t)) - 3*(t - a).
  const Run r = run("model M Real v(start = 0.01, fixed = true); Real f; equation f = if v > 0 then 3 else if v < 0 then -3 else 0; der(v) = 4*sin(time) - f; end M;", 6);
  BOOST_REQUIRE(r.ended());
  const double a = std::asin(0.75);
  const auto v = [&](double t) { return 4*(std::cos(a) - std::cos(t)) - 3*(t - a); };
  BOOST_TEST(std::abs(r.at("v", 0.8)) < 1e-9);
  for (const double t : {1.2, 1.8}) BOOST_TEST(r.at("v", t) == v(t), tolerance(1e-5));
  // It rests again where v has come back to 0, and goes the other way at pi + a.
  const double rests = root([&](double t) { return -v(t); }, 1.8, 3.5);
  BOOST_TEST(r.at("v", rests - 0.05) > 0.1);
  BOOST_TEST(std::abs(r.at("v", rests + 0.05)) < 1e-8);
  BOOST_TEST(r.at("v", 4.5) == -v(4.5 - std::acos(-1.0)), tolerance(1e-5));
  BOOST_TEST(r.events() < 1000u);
}

BOOST_AUTO_TEST_CASE(a_thermostat_without_a_band_gives_the_mean_power) {
  const Run r = run(
      "model M Real T(start = 20, fixed = true), Q, E(start = 0, fixed = true); Boolean on; equation on = T < 22; Q = if on then 10 else 0; "
      "der(T) = Q - 0.2*(T - 10 - 2*sin(time)); der(E) = Q; end M;", 8);
  BOOST_REQUIRE(r.ended());
  for (const double t : {2.0, 4.8, 8.0}) {
    BOOST_TEST(r.at("T", t) == 22, tolerance(1e-8));
    BOOST_TEST(r.at("Q", t) == 0.2*(12 - 2*std::sin(t)), tolerance(1e-6));
  }
  // From one instant to another on the surface the energy is the integral.
  BOOST_TEST(r.at("E", 8) - r.at("E", 2) == 0.2*(12*6 + 2*(std::cos(8.0) - std::cos(2.0))), tolerance(1e-6));
  BOOST_TEST(r.events() < 200u);
}

BOOST_AUTO_TEST_CASE(events_interrupt_it) {
  const Run r = run("model M Real v(start = 1, fixed = true), f; discrete Real s(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation "
                    "f = if v > 0 then 3 else if v < 0 then -3 else 0; der(v) = 2*sin(time) - f; when sample(1, 1) then s = f; end when; "
                    "when sin(time) > 0.5 then n = pre(n) + 1; end when; end M;", 10.5);
  BOOST_REQUIRE(r.ended());
  // The sampled force is that of one side, as relations stand; the state stays where it is.
  BOOST_TEST(std::abs(r.at("s", 3.5)) <= 3);
  for (const double t : {1.0, 4.0, 10.0}) BOOST_TEST(std::abs(r.at("v", t)) < 1e-8);
  BOOST_TEST(r.final("n") == 2);
  BOOST_TEST(r.events() < 1000u);
  // And they are on record, unlike the flips of the spell.
  std::size_t ticks = 0, counts = 0;
  for (const runtime::EventRecord& e : r.result.events) {
    ticks += e.samples.size();
    for (const auto& change : e.changes) counts += r.program.variables[change.variable].name == "n";
  }
  BOOST_TEST(ticks == 10u);
  BOOST_TEST(counts == 2u);
}

BOOST_AUTO_TEST_CASE(what_counts_events_is_not_lost) {
  // Two sides, but not two states of what is discrete: n counts.
  const Run r = run("model M Real x(start = 1.0001, fixed = true); Boolean b = x >= 1; Integer n(start = 0, fixed = true); equation der(x) = if b then -1 else 1; "
                    "when b then n = pre(n) + 1; end when; end M;", 0.005, 1e-4);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("n") > 30);
  BOOST_REQUIRE(r.result.chattering.size() == 1u);
  BOOST_TEST(r.result.chattering[0].slid == 0);
}

BOOST_AUTO_TEST_CASE(a_jump_that_is_no_relation_is_told_of) {
  const std::string model = "model M Real x(start = 1.001, fixed = true); equation der(x) = 1 - 2*noEvent(floor(x)); end M;";
  const Run r = run(model, 0.003, 1e-8);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("x") == 1, tolerance(1e-6));
  BOOST_REQUIRE(r.result.messages.size() == 1u);
  BOOST_CHECK(r.result.messages[0].severity == runtime::Severity::warning);
  BOOST_TEST(r.message().find("the derivative of x jumps where no event is") != std::string::npos, r.message());
  // Many steps alone are none: a fast oscillation.
  const Run fast = run("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -1e12*x; end M;", 0.02);
  BOOST_TEST(fast.result.messages.empty());
}

BOOST_AUTO_TEST_CASE(two_surfaces_end_in_useful_time) {
  const Run r = run("model M Real v(start = 0.1, fixed = true), w(start = 0.2, fixed = true); equation der(v) = sin(time) - (if v > 0 then 3 else -3); "
                    "der(w) = cos(time) - (if w > 0 then 3 else -3); end M;", 10);
  BOOST_REQUIRE(r.ended());
  for (const double t : {1.0, 5.0, 10.0}) BOOST_TEST(std::abs(r.at("v", t)) < 1e-8);
  for (const double t : {1.0, 5.0, 10.0}) BOOST_TEST(std::abs(r.at("w", t)) < 1e-8);
  BOOST_TEST(r.events() < 2000u);
  BOOST_TEST(r.result.chattering.back().slid > 9.5);
}

BOOST_AUTO_TEST_CASE(surfaces_that_act_on_each_other) {
  // Two bodies with friction on the ground, and a spring between them that one force stretches until the first lets go.
  const Run r = run(
      "model M Real v(start = 0.1, fixed = true), w(start = 0.2, fixed = true), x(start = 0, fixed = true), f, g, k; equation "
      "f = if v > 0 then 1 else if v < 0 then -1 else 0; g = if w > 0 then 2 else if w < 0 then -2 else 0; k = 10*x; "
      "der(x) = v - w; der(v) = 0.3*time - k - f; der(w) = k - g; end M;", 3.5);
  BOOST_REQUIRE(r.ended());
  // While both hold, k is what it was, and the friction is what the forces are.
  const double k = r.at("k", 2.1);
  for (const double t : {1.4, 2.1, 2.8}) {
    BOOST_TEST(r.at("k", t) == k, tolerance(1e-7));
    BOOST_TEST(r.at("f", t) == 0.3*t - k, tolerance(1e-5));
    BOOST_TEST(r.at("g", t) == k, tolerance(1e-5));
  }
  BOOST_TEST(r.events() < 3000u);
}

// h < 1 and h > 1 are over one surface; on it neither holds, and the motion leads back below.
BOOST_AUTO_TEST_CASE(a_second_relation_over_the_surface_that_has_not_changed) {
  for (const double stop : {3.0, 20.0}) {
    const Run r = run("model M Real h(start = 0, fixed = true), u; equation u = if h < 1 then 1 elseif h > 1 then -1 else 0; der(h) = u - 0.2*h; end M;", stop);
    BOOST_REQUIRE(r.ended());
    BOOST_TEST(std::abs(r.final("h") - 1) < 1e-6);
    BOOST_TEST(r.events() < 200u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
