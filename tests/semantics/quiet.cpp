// E11: derivatives that jump under noEvent or through sign, against what follows from the surface.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

/// The root of an increasing function.
template <class F>
double root(F f, double low, double high) {
  for (int k = 0; k < 200; ++k) (f(0.5*(low + high)) < 0 ? low : high) = 0.5*(low + high);
  return low;
}

std::string text_of(const Run& r, runtime::Index relation) { return std::string(r.program.origins[r.program.relations[relation].origin].text); }

}  // namespace

BOOST_AUTO_TEST_SUITE(quiet)

BOOST_AUTO_TEST_CASE(a_sign_that_stops_the_motion) {
  for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
    const Run r = run("model M Real v(start = 1, fixed = true), x(start = 0, fixed = true); equation der(v) = -2*sign(v); der(x) = v; end M;", 2, accuracy);
    BOOST_TEST_CONTEXT(accuracy) {
      BOOST_REQUIRE(r.ended());
      BOOST_TEST(r.at("v", 0.24) == 0.52, tolerance(1e-9));
      for (const double t : {0.6, 1.0, 2.0}) {
        BOOST_TEST(std::abs(r.at("v", t)) < accuracy);
        BOOST_TEST(std::abs(r.at("der(v)", t)) < 1e-9);
      }
      BOOST_TEST(r.final("x") == 0.25, tolerance(2*accuracy));
      BOOST_TEST(r.result.statistics.steps < 3000u);
      BOOST_REQUIRE(r.result.watched.size() == 1u);
      BOOST_TEST(text_of(r, r.result.watched[0].relation) == "sign(v) > 0");
      BOOST_TEST(r.result.watched[0].since == 0.5, tolerance(20*accuracy));
      BOOST_REQUIRE(r.result.chattering.size() == 1u);
      BOOST_TEST(r.result.chattering[0].slid == 1.5, tolerance(20*accuracy));
      BOOST_TEST(r.result.messages.empty(), r.message());
    }
  }
}

BOOST_AUTO_TEST_CASE(friction_written_without_events) {
  // 4*sin(t) is more than 3 from asin(3/4) on; then v = 4*(cos(a) - cos(t)) - 3*(t - a) up to its root, and backwards from pi + a on.
  const double a = std::asin(0.75), pi = std::acos(-1.0);
  const auto v = [&](double t) { return 4*(std::cos(a) - std::cos(t)) - 3*(t - a); };
  const double rests = root([&](double t) { return -v(t); }, 1.8, 3.5);
  for (const char* friction : {"3*sign(v)", "noEvent(if v > 0 then 3 else if v < 0 then -3 else 0)", "3*(2*f(v) - 1)"}) {
    const Run r = run(std::string("function f input Real v; output Real y; algorithm if v >= 0 then y := 1; else y := 0; end if; end f; "
                                  "model M Real v(start = 0.01, fixed = true), F; equation F = ") + friction + "; der(v) = 4*sin(time) - F; end M;", 6);
    BOOST_TEST_CONTEXT(friction) {
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
      BOOST_TEST(std::abs(r.at("v", 0.804)) < 1e-6);
      BOOST_TEST(r.at("F", 0.804) == 4*std::sin(0.804), tolerance(1e-6));
      for (const double t : {1.2, 1.8}) BOOST_TEST(r.at("v", t) == v(t), tolerance(1e-5));
      BOOST_TEST(std::abs(r.at("v", rests + 0.05)) < 1e-6);
      BOOST_TEST(r.at("v", 4.5) == -v(4.5 - pi), tolerance(1e-5));
      BOOST_TEST(r.result.statistics.steps < 5000u);
      BOOST_TEST(!r.result.watched.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_jump_within_equations_that_are_solved_together) {
  // w + w^3/10 = 1 - 5*sign(v), and v follows w: down to 0 and there. The mean of w is then 0.
  const Run r = run("model M Real v(start = 1, fixed = true), w(start = -3); equation w + w^3/10 = 1 - 5*sign(v); der(v) = w; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  const double down = root([](double w) { return w + w*w*w/10 + 4; }, -4, 0);
  BOOST_TEST(r.at("v", 0.2) == 1 + 0.2*down, tolerance(1e-6));
  for (const double t : {0.8, 2.0}) BOOST_TEST(std::abs(r.at("v", t)) < 1e-6);
  BOOST_TEST(std::abs(r.at("w", 1.5)) < 1e-6);
  BOOST_TEST(r.result.statistics.steps < 3000u);
}

BOOST_AUTO_TEST_CASE(two_jumps_and_one_event) {
  // Both rest, one of them with an ordinary relation.
  const Run r = run("model M Real v(start = 0.1, fixed = true), w(start = 0.2, fixed = true); equation der(v) = sin(time) - 3*sign(v); "
                    "der(w) = cos(time) - (if w > 0 then 3 else -3); end M;", 10);
  BOOST_REQUIRE(r.ended());
  for (const double t : {1.0, 5.0, 10.0}) {
    BOOST_TEST(std::abs(r.at("v", t)) < 1e-6);
    BOOST_TEST(std::abs(r.at("w", t)) < 1e-6);
  }
  BOOST_TEST(r.result.statistics.steps < 10000u);
}

BOOST_AUTO_TEST_CASE(what_does_not_jump_back_and_forth_is_left_alone) {
  const char* const models[] = {
      // Edges that are passed, a function that has no value on the other side, bends, and a jump that changes nothing.
      "model M Real x(start = 0, fixed = true); equation der(x) = if noEvent(sin(6*time) > 0) then 1 else 0; end M;",
      "model M Real x(start = 1, fixed = true); equation der(x) = if noEvent(x >= 0) then -sqrt(x) else 0; end M;",
      "model M Real x(start = 1, fixed = true); equation der(x) = -abs(x - 0.2) - max(x, 0.5); end M;",
      "model M Real x(start = 1, fixed = true), y; equation der(x) = -x; y = if noEvent(x > 0.5) then 1 else 2; end M;"};
  for (const char* const model : models) {
    const Run r = run(model, 4);
    BOOST_TEST_CONTEXT(model) {
      BOOST_REQUIRE(r.ended());
      BOOST_TEST(r.result.watched.empty());
      BOOST_TEST(r.events() == 0u);
    }
  }
}

// der(h) = 1 below and 1 - q above: steps that go across end on the side where they began.
BOOST_AUTO_TEST_CASE(steps_that_end_where_they_began_are_seen_as_well) {
  for (const char* const q : {"1.5", "2", "3", "4", "10"})
    for (const char* const start : {"0", "0.7"})
      for (const bool direct : {false, true}) {
        const std::string jump = std::string("noEvent(if h > 1 then ") + q + " else 0)";
        const Run r = run(std::string("model M Real h(start = ") + start + ", fixed = true), q; equation q = " + (direct ? "1 - der(h)" : jump) + "; der(h) = 1 - " +
                              (direct ? jump : "q") + "; end M;", 3);
        BOOST_TEST_CONTEXT(q << " from " << start << (direct ? " in der()" : "")) {
          BOOST_REQUIRE(r.ended());
          BOOST_TEST(std::abs(r.final("h") - 1) < 1e-6);
          BOOST_TEST(r.result.statistics.steps < 5000u);
          BOOST_TEST(r.result.watched.size() == 1u);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()
