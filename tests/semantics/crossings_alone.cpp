// Relations that need little of the derivatives are looked at without the rest (section crossings_alone): the run is the same to the last bit as with
// all of them evaluated, the instants are those of closed forms, and what is left out is not solved.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "runtime/crossings.hpp"
#include "runtime/interpreter.hpp"
#include "with_loop.hpp"

using namespace mosim;
using namespace mosim::tests;
using runtime::none;

namespace {

/// x = sin(t) crosses 0.5 at asin(0.5), and y = 2x crosses 1.8 at asin(0.9).
std::string crossing_twice(std::size_t n) {
  return looped(n, "Real y = 2*x; Integer k(start = 0, fixed = true); Boolean high = x > 0.5, higher = y > 1.8;", "when {high, higher} then k = pre(k) + 1; end when;",
                "(if high then 1 else 0)");
}

void same_with_all(runtime::Program program, double stop, double tolerance) {
  const std::vector<double> alone = simulated(program, stop, tolerance).trajectory.values;
  program.crossings_alone = none;
  const std::vector<double> whole = simulated(program, stop, tolerance).trajectory.values;
  BOOST_TEST(!alone.empty());
  BOOST_TEST((alone == whole));
}

bool has_section(const std::string& text) {
  const Run r = run(text, 0.1);
  BOOST_TEST(r.ended(), r.diagnostics + r.message());
  return r.program.crossings_alone != none;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crossings_alone)

BOOST_AUTO_TEST_CASE(nothing_else_changes) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const Run r = run(crossing_twice(n), 3, tolerance);
      BOOST_REQUIRE(r.ended());
      BOOST_REQUIRE(r.program.crossings_alone != none);
      // Up twice and down twice; high comes before higher.
      const std::vector<double> times = r.event_times();
      BOOST_REQUIRE(times.size() == 4u);
      const double half_turn = std::acos(-1.0);
      const double exact[]{std::asin(0.5), std::asin(0.9), half_turn - std::asin(0.9), half_turn - std::asin(0.5)};
      for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(times[i] - exact[i]) < 10 * tolerance);
      BOOST_TEST(r.final("k") == 2);
      same_with_all(r.program, 3, tolerance);
    }
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_not_solved) {
  for (const std::size_t n : {3u, 30u, 100u}) {
    const Run r = run(crossing_twice(n), 1);
    BOOST_REQUIRE(r.program.crossings_alone != none);
    for (const bool alone : {true, false}) {
      runtime::Program program = r.program;
      if (!alone) program.crossings_alone = none;
      runtime::Machine m = runtime::make_machine(program);
      BOOST_REQUIRE(runtime::run(m, program.parameters, runtime::Mode::literal).ok());
      BOOST_REQUIRE(runtime::measure(m));
      const auto solved = std::count_if(m.blocks.begin(), m.blocks.end(), [](const runtime::BlockState& state) { return state.solved.stands; });
      BOOST_TEST(solved == (alone ? 0 : 1));
      // x = 0 and y = 0 at the start.
      BOOST_TEST(std::count(m.relation_differences.begin(), m.relation_differences.end(), -0.5) == 1);
      BOOST_TEST(std::count(m.relation_differences.begin(), m.relation_differences.end(), -1.8) == 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(where_it_is_not_made) {
  const std::string loop = "Real a, b; Real x(start = 1, fixed = true); equation der(x) = -a; ";
  const std::string linear = loop + "2*a - b = x; a + 3*b = 1; ";
  BOOST_TEST(has_section("model M Boolean p = x < 0.5; " + linear + "end M;"));
  // The relation needs the loop; the loop goes on from its last solution; what looks back.
  BOOST_TEST(!has_section("model M Boolean p = a < 0.2; " + linear + "end M;"));
  BOOST_TEST(!has_section("model M Boolean p = x < 0.5; " + loop + "a^3 + a - b = x; a + 3*b^3 = 1; end M;"));
  BOOST_TEST(!has_section("model M Boolean p = x < 0.5; Real d = delay(x, 0.1); " + linear + "end M;"));
  BOOST_TEST(!has_section("model M " + linear + "end M;"));
  // What the derivatives tell of relations that make no events is wanted.
  BOOST_TEST(!has_section("model M Boolean p = x < 0.5; Real y(start = 0, fixed = true); " + linear + "der(y) = noEvent(if x > 0.2 then 1 else 0); end M;"));
}

// Where a system that is left out has no solution the operands have their values all the same.
BOOST_AUTO_TEST_CASE(faults_of_what_is_left_out) {
  for (const std::size_t n : {2u, 30u, 100u}) {
    // Singular where x = 2: all rows are the same.
    const Run r = run(fmt::format("model M Real x(start = 0.5, fixed = true), q(start = 0, fixed = true), z[{0}]; Boolean p = x > 5; equation der(x) = 1; der(q) = z[1]; "
                                  "for i in 1:{0} loop sum(z) - z[i] + (x - 1)*z[i] = i; end for; end M;",
                                  n),
                      0.1);
    BOOST_REQUIRE(r.ended());
    BOOST_REQUIRE(r.program.crossings_alone != none);
    for (const bool alone : {true, false}) {
      runtime::Program program = r.program;
      if (!alone) program.crossings_alone = none;
      runtime::Machine m = runtime::make_machine(program);
      BOOST_REQUIRE(runtime::run(m, program.parameters, runtime::Mode::literal).ok());
      for (std::size_t k = 0; k < program.states.size(); ++k)
        if (program.variables[program.states[k].variable].name == "x") m.memory[program.first_state + k] = 2;
      BOOST_TEST(runtime::measure(m) == alone);
      BOOST_TEST(std::count(m.relation_differences.begin(), m.relation_differences.end(), -3.0) == (alone ? 1 : 0));
    }
  }
}

// x has reached 0 at t = 1 and stays there; the system that the relation does not need is solved for the rows.
BOOST_AUTO_TEST_CASE(along_a_surface) {
  for (const std::size_t n : {3u, 30u, 100u})
    for (const double tolerance : three_tolerances) {
      const Run r = run(fmt::format("model M Real x(start = 1, fixed = true), w(start = 0, fixed = true), q(start = 0, fixed = true); Real z[{0}]; equation der(x) = if x > 0 then -1 else 2; "
                                    "der(w) = 1; der(q) = z[1]; {1} end M;",
                                    n, loop_of(n, "3*w", "2*w", "3*w")),
                        2, tolerance);
      BOOST_REQUIRE(r.ended());
      BOOST_REQUIRE(r.program.crossings_alone != none);
      BOOST_TEST(std::abs(r.final("x")) < 10 * tolerance);
      for (const double t : {0.5, 1.5, 2.0})
        for (const std::size_t k : {std::size_t(1), n / 2, n}) BOOST_TEST(std::abs(r.at(fmt::format("z[{}]", k), t) - t) < 1e-9);
      BOOST_TEST(std::abs(r.final("q") - 2) < 10 * tolerance);
      same_with_all(r.program, 2, tolerance);
    }
}

// The one event of a run at its instant, and the rest of it as with all of the derivatives.
BOOST_AUTO_TEST_CASE(domains) {
  const std::string head = "model M Real x(start = 1, fixed = true), q(start = 0, fixed = true), a, b; ", loop = "der(q) = a; 2*a - b = x; a + 3*b = 1; ";
  const std::pair<std::string, double> models[]{
      // x = (1 - t/2)^2 up to x = 0.01, where it is 1 again: the root has no value a little later.
      {head + "equation der(x) = -sqrt(x); " + loop + "when x <= 0.01 then reinit(x, 1); end when; end M;", 1.8},
      // log(2 - x) > -2 once x > 2 - exp(-2); the operand has no value from t = 1 on.
      {head + "Boolean p = noEvent(if x < 2 then log(2 - x) else -3) > -2; equation der(x) = 1; " + loop + "end M;", 1 - std::exp(-2)},
  };
  for (const auto& [text, instant] : models)
    for (const double tolerance : three_tolerances) {
      const Run r = run(text, 2, tolerance);
      BOOST_REQUIRE(r.ended());
      BOOST_REQUIRE(r.program.crossings_alone != none);
      BOOST_REQUIRE(r.event_times().size() == 1u);
      BOOST_TEST(std::abs(r.event_times()[0] - instant) < 20 * tolerance);
      same_with_all(r.program, 2, tolerance);
    }
}

BOOST_AUTO_TEST_SUITE_END()
