// Assertions, and the coefficients that states are chosen by, are evaluated at each step without what they do not need (sections assertions_alone and
// state_sets_alone): the run is the same to the last bit as with all of the equations, and so is what is said.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>

#include "runtime/interpreter.hpp"
#include "with_loop.hpp"

using namespace mosim;
using namespace mosim::tests;
using runtime::none;

namespace {

void same_with_all(const Run& r, double stop, double tolerance) {
  runtime::Program program = r.program;
  program.assertions_alone = program.state_sets_alone = none;
  const runtime::Result whole = simulated(program, stop, tolerance), alone = simulated(r.program, stop, tolerance);
  BOOST_TEST(!alone.trajectory.values.empty());
  BOOST_TEST((alone.trajectory.values == whole.trajectory.values));
  BOOST_TEST((alone.ending == whole.ending));
  BOOST_REQUIRE(alone.messages.size() == whole.messages.size());
  for (std::size_t k = 0; k < alone.messages.size(); ++k) {
    BOOST_TEST(alone.messages[k].cause == whole.messages[k].cause);
    BOOST_TEST(alone.messages[k].time == whole.messages[k].time);
  }
}

std::size_t solved_by(const runtime::Program& program, runtime::Entry section) {
  runtime::Machine m = runtime::make_machine(program);
  BOOST_TEST(runtime::run(m, program.parameters, runtime::Mode::literal).ok());
  BOOST_TEST(runtime::run(m, section, runtime::Mode::frozen).ok());
  return std::size_t(std::count_if(m.blocks.begin(), m.blocks.end(), [](const runtime::BlockState& state) { return state.solved.stands; }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sections_alone)

BOOST_AUTO_TEST_CASE(assertions_that_hold) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const Run r = run(looped(n, "Real y = 2*x;", "assert(noEvent(y < 2.5), \"too far\"); assert(noEvent(v > -2), \"too fast\");"), 5, tolerance);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      BOOST_REQUIRE(r.program.assertions_alone != none);
      BOOST_TEST(solved_by(r.program, r.program.assertions_alone) == 0u);
      BOOST_TEST(solved_by(r.program, r.program.derivatives) == 1u);
      BOOST_TEST(std::abs(r.final("x") - std::sin(5.0)) < 100*tolerance);
      same_with_all(r, 5, tolerance);
    }
}

// What an assertion says may be of any variable, and all of them are of the point where it fails.
BOOST_AUTO_TEST_CASE(assertions_that_fail) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const std::string text = looped(n, "Real y = 2*x, w = z[1];", "assert(noEvent(y < 1.5), \"w is \" + String(w));");
      const Run r = run(text, 2, tolerance);
      BOOST_REQUIRE(r.program.assertions_alone != none);
      BOOST_TEST((r.result.ending == runtime::Ending::failed));
      // x has passed 0.75, by a step at most.
      const double here = r.result.messages.front().time;
      BOOST_TEST(here > std::asin(0.75) - 100*tolerance);
      BOOST_TEST(here < std::asin(0.75) + 0.2);
      const std::size_t at = r.message().find("w is ");
      BOOST_REQUIRE(at != std::string::npos);
      const Run held = run(looped(n, "", ""), here, tolerance);
      BOOST_TEST(std::abs(std::stod(r.message().substr(at + 5)) - held.final("z[1]")) < 1e-4);
      same_with_all(r, 2, tolerance);
    }
}

BOOST_AUTO_TEST_CASE(warnings_once_each) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const Run r = run(looped(n, "", "assert(noEvent(x < 0.5), \"beyond 0.5: z is \" + String(z[1]), AssertionLevel.warning); "
                                      "assert(noEvent(x > -0.5), \"beyond -0.5\", AssertionLevel.warning);"), 12, tolerance);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      BOOST_REQUIRE(r.program.assertions_alone != none);
      BOOST_REQUIRE(r.result.messages.size() == 2u);
      const double third = std::asin(0.5);
      BOOST_TEST(std::abs(r.result.messages[0].time - third) < 0.3);
      BOOST_TEST(std::abs(r.result.messages[1].time - std::acos(-1.0) - third) < 0.3);
      same_with_all(r, 12, tolerance);
    }
}

// Where they need most of the equations anyway; where iterations go on from their last solution; what looks back; a function that counts.
BOOST_AUTO_TEST_CASE(assertions_with_all_of_them) {
  const auto has_section = [](const std::string& text) {
    const Run r = run(text, 0.1);
    BOOST_TEST(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.program.assertions != none);
    return r.program.assertions_alone != none;
  };
  const std::string loop = "Real a, b; Real x(start = 1, fixed = true); equation der(x) = -a; assert(noEvent(x < 2), \"x\"); ", linear = "2*a - b = x; a + 3*b = 1; ";
  BOOST_TEST(has_section("model M " + loop + linear + "end M;"));
  BOOST_TEST(!has_section("model M " + loop + linear + "assert(noEvent(a < 5), \"a\"); end M;"));
  BOOST_TEST(has_section("model M " + loop + linear + "assert(a < 5, \"a\"); end M;"));   // a relation has its value from the last event (E1)
  BOOST_TEST(!has_section("model M " + loop + "a^3 + a - b = x; a + 3*b^3 = 1; end M;"));
  BOOST_TEST(!has_section("model M Real d = delay(x, 0.1); " + loop + linear + "end M;"));
  // What is left out of the outputs must not go astray, or have lost its value, before the next row.
  BOOST_TEST(!has_section("model M Real p(start = 1); " + loop + linear + "p^3 + p = x; end M;"));
  BOOST_TEST(!has_section("model M Real w = sqrt(3 - x); " + loop + linear + "end M;"));
  BOOST_TEST(!has_section("model M Real w = 1/x; " + loop + linear + "end M;"));
  BOOST_TEST(!has_section("model M Real p, q; " + loop + linear + "sqrt(x + 0.5)*p + q = 1; p - 3*q = x; end M;"));
  BOOST_TEST(has_section("model M Real p, q; " + loop + linear + "(x + 0.5)*p + q = 1; p - 3*q = x; end M;"));
  BOOST_TEST(!has_section("model M parameter Real k = 0; Real w = noEvent(if x < -0.4 then 1/k else 0); " + loop + linear + "end M;"));
  BOOST_TEST(has_section("model M parameter Real k = 2; Real w = x/k + sqrt(k) + x^2; " + loop + linear + "end M;"));
}

// The angle of a pendulum that goes round and round is found from step to step, however far apart the rows are: it is that of x and y, and has gone as
// far as with rows nearby.
BOOST_AUTO_TEST_CASE(outputs_that_are_iterated_to) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const std::string text = fmt::format("model M Real x(start = 0.1, fixed = true), y(start = -0.99), vx(start = 9, fixed = true), vy, f, phi(start = -1.5), z[{0}]; equation der(x) = vx; "
                                           "der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - 9.81; x^2 + y^2 = 1; sin(phi)*x - cos(phi)*y = 0; assert(noEvent(x < 5), \"x\"); {1} end M;",
                                           n, loop_of(n, "x", "y", "1"));
      const Run far = run(text, 5, tolerance, 5), near = run(text, 5, tolerance, 1000);
      BOOST_REQUIRE_MESSAGE(far.ended() && near.ended(), far.message() + near.message());
      for (const double t : {1.0, 3.0, 5.0}) {
        BOOST_TEST(std::abs(std::cos(far.at("phi", t)) - far.at("x", t)) < 10 * tolerance);
        BOOST_TEST(std::abs(std::sin(far.at("phi", t)) - far.at("y", t)) < 10 * tolerance);
        BOOST_TEST(std::abs(far.at("phi", t) - near.at("phi", t)) < 1);   // no turn more or less
      }
    }
}

// A pendulum chooses its states from quarter to quarter, beside a system of n equations that its choice does not need.
BOOST_AUTO_TEST_CASE(states_that_change) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const Run r = run(fmt::format("model M Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), f, E; Real q(start = 0, fixed = true), z[{0}]; equation "
                                    "der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - 9.81; x^2 + y^2 = 1; E = vx^2/2 + vy^2/2 + 9.81*y; der(q) = z[{0}] - q; {1} end M;",
                                    n, loop_of(n, "1 + q", "2", "3")),
                        4, tolerance);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      BOOST_REQUIRE(r.program.state_sets_alone != none);
      BOOST_TEST(solved_by(r.program, r.program.state_sets_alone) < solved_by(r.program, r.program.derivatives));
      BOOST_TEST(r.result.statistics.reselections > 3u);
      BOOST_TEST(std::abs(r.final("E")) < 1000*tolerance);
      same_with_all(r, 4, tolerance);
    }
}

BOOST_AUTO_TEST_SUITE_END()
