// E3: crossings are found wherever the motion takes a relation, whatever the output grid. Counts and instants are closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

const double pi = std::acos(-1.0);
constexpr std::uint32_t grids[] = {1, 2, 7, 500, 3000};

}  // namespace

BOOST_AUTO_TEST_SUITE(pulses)

BOOST_AUTO_TEST_CASE(peaks_of_an_oscillation) {
  // x = cos(400*pi*t) is below -0.9999 for 0.45 % of a period.
  for (const std::uint32_t intervals : grids) {
    const Run r = run("model M constant Real w = 400*3.14159265358979323846; Real x(start = 1, fixed = true), v(start = 0, fixed = true), at(start = 0, fixed = true); "
                      "Integer n(start = 0, fixed = true); equation der(x) = w*v; der(v) = -w*x; when x < -0.9999 then n = pre(n) + 1; at = time; end when; end M;",
                      1, 1e-6, intervals);
    BOOST_TEST_CONTEXT(intervals) {
      BOOST_TEST(r.final("n") == 200);
      BOOST_TEST(r.events() == 400u);
      BOOST_TEST(r.final("at") == (400*pi - pi - std::acos(0.9999))/(400*pi), tolerance(1e-5));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_fast_train_of_short_pulses_by_a_slow_state) {
  // The integration has nothing to resolve: x = t. A pulse takes 1.4 % of its period, which is 2 ms, then 0.05 ms.
  for (const double frequency : {500.0, 20000.0})
    for (const std::uint32_t intervals : grids) {
      const Run r = run("model M Real x(start = 0, fixed = true), on(start = 0, fixed = true); Integer n(start = 0, fixed = true); Boolean pulse; equation der(x) = 1; "
                        "pulse = sin(2*3.14159265358979323846*" + std::to_string(frequency) + "*x) > 0.999; der(on) = if pulse then 1 else 0; "
                        "when pulse then n = pre(n) + 1; end when; end M;", 0.1, 1e-6, intervals);
      BOOST_TEST_CONTEXT(frequency << " Hz, " << intervals << " intervals") {
        const double count = 0.1*frequency;
        BOOST_TEST(r.final("n") == count);
        BOOST_TEST(r.final("on") == count*(pi - 2*std::asin(0.999))/(2*pi*frequency), tolerance(1e-6));
      }
    }
}

BOOST_AUTO_TEST_CASE(one_pulse_beside_a_slow_motion) {
  // x = 2*(1 - exp(-t)) is within 2e-3 of 1/2 from 1.498 to 1.502.
  for (const std::uint32_t intervals : grids) {
    const Run r = run("model M Real x(start = 0, fixed = true); discrete Real rises(start = 0, fixed = true), falls(start = 0, fixed = true); Boolean b; equation "
                      "der(x) = 2 - x; b = 1 - ((x - 0.5)/2e-3)^2 > 0; when b then rises = time; end when; when not b then falls = time; end when; end M;",
                      2, 1e-8, intervals);
    BOOST_TEST_CONTEXT(intervals) {
      BOOST_TEST(r.final("rises") == -std::log(1.502/2), tolerance(1e-6));
      BOOST_TEST(r.final("falls") == -std::log(1.498/2), tolerance(1e-6));
    }
  }
}

BOOST_AUTO_TEST_CASE(of_three_crossings_in_a_step_the_first_comes_first) {
  // x = t: the cubic is positive from 0.5 to 0.501, and from 0.503 on.
  for (const std::uint32_t intervals : grids) {
    const Run r = run("model M Real x(start = 0, fixed = true); discrete Real first(start = 0, fixed = true), last(start = 0, fixed = true); Integer n(start = 0, fixed = true); "
                      "equation der(x) = 1; when (x - 0.5)*(x - 0.501)*(x - 0.503) > 0 then n = pre(n) + 1; first = if n == 1 then time else pre(first); last = time; end when; end M;",
                      1, 1e-6, intervals);
    BOOST_TEST_CONTEXT(intervals) {
      BOOST_TEST(r.final("n") == 2);
      BOOST_TEST(r.final("first") == 0.5, tolerance(1e-8));
      BOOST_TEST(r.final("last") == 0.503, tolerance(1e-8));
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_depends_on_the_output_grid) {
  const char* const models[] = {
      // Zeno, a threshold that a spell of chattering follows, a jump without an event, and events beside the motion.
      "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -0.7*pre(v)); end when; end M;",
      "model M Real T(start = 20, fixed = true), E(start = 0, fixed = true); equation der(T) = (if T < 22 then 10 else 0) - 0.2*(T - 10 - 2*sin(time)); der(E) = T; end M;",
      "model M Real x(start = 0, fixed = true); equation der(x) = if noEvent(sin(20*time) > 0) then 1 else -x; end M;",
      "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = v; der(v) = -x; "
      "when {x > 0.3, v > 0.2, sample(0.1, 0.37)} then n = pre(n) + 1; end when; end M;"};
  for (const char* const model : models) {
    const Run one = run(model, 5, 1e-6, 500);
    BOOST_REQUIRE(one.ended());
    for (const std::uint32_t intervals : {1u, 3u, 41u, 7000u}) {
      const Run other = run(model, 5, 1e-6, intervals);
      BOOST_TEST_CONTEXT(intervals << ": " << model) {
        BOOST_TEST(other.events() == one.events());
        BOOST_TEST(other.result.statistics.steps == one.result.statistics.steps);
        for (const auto& variable : one.program.variables)
          if (!variable.name.starts_with("$")) BOOST_TEST(other.final(variable.name) == one.final(variable.name));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
