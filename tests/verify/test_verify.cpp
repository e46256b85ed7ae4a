// The second witness (--verify): it holds its peace where a run is right, and sees where the program is wrong.

#include <boost/test/unit_test.hpp>

#include "tests/verify/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const std::string loop = "model M Real x, y, z; equation x + y + z = 6 + time; x - y + sin(z)*0.1 = 1; z - 2*y = time; end M;";

}  // namespace

BOOST_AUTO_TEST_SUITE(verification)

BOOST_AUTO_TEST_CASE(a_right_run_is_right) {
  for (const char* text : {
           "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;",
           "model M Real x(start = 1), y; Boolean b; Integer n; equation der(x) = -x*y; y = if x > 0.5 then 1 + x else 2; b = x > 0.7; n = integer(10*x); end M;",
           "model M parameter Real L = 1; Real x(start = 0.6), y(start = -0.8), vx, vy, F; equation x*x + y*y = L*L; der(x) = vx; der(y) = vy; der(vx) = -x*F; der(vy) = -y*F - 9.81; end M;",
           "model M Real x, y; algorithm x := time; for i in 1:5 loop x := x + sin(x)/i; end for; if x > 2 then y := x; else y := -x; end if; end M;"}) {
    const verify::Report r = run(text);
    BOOST_TEST(r.violated.empty(), texts(r));
    BOOST_TEST(r.equations > 2u);
    BOOST_TEST(r.rows > 20u);
    BOOST_TEST(r.worst.part() < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_torn_system_is_seen) {
  BOOST_TEST(run(loop).violated.empty());
  // The torn system and the whole one say sin where the model says sin: now they say cos.
  const verify::Report r = run(loop, [](runtime::Program& p) {
    for (auto& i : p.code)
      if (i.op == runtime::Opcode::sin) i.op = runtime::Opcode::cos;
  });
  BOOST_REQUIRE(r.violated.size() == 1u);
  BOOST_TEST(r.violated[0].text == "x - y + sin(z)*0.1 = 1");
  BOOST_TEST(r.violated[0].line == 1u);
  BOOST_TEST(r.violated[0].path == "test.mo");
  BOOST_TEST(r.violated[0].residual > 1e-3);
}

BOOST_AUTO_TEST_CASE(a_wrong_assignment_is_seen) {
  const verify::Report r = run("model M Real a, b; equation a = 2*time + 1; b = a*time; end M;", [](runtime::Program& p) {
    replace(p, p.derivatives == runtime::none ? 0 : std::min(p.derivatives, p.outputs), runtime::Opcode::add, runtime::Opcode::subtract);
  });
  BOOST_REQUIRE(!r.violated.empty());
  BOOST_TEST(texts(r).find("a = 2") != std::string::npos);
  BOOST_TEST(texts(r).find("b = a") == std::string::npos);   // it follows from the wrong a
}

BOOST_AUTO_TEST_CASE(a_relation_that_its_values_contradict_is_seen) {
  const std::string text = "model M Real x(start = 0, fixed = true); Boolean b; equation der(x) = 1; b = x > 0.5; end M;";
  BOOST_TEST(run(text).violated.empty());
  // Without a search for crossings the relation stays as it was.
  const verify::Report r = run(text, [](runtime::Program& p) { p.relations[0].epsilon = runtime::none; p.crossings = p.crossings_alone = runtime::none; });
  BOOST_REQUIRE(!r.violated.empty());
  BOOST_TEST(texts(r).find("x > 0.5") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(initial_equations_and_start_values) {
  const std::string text = "model M Real x, y(start = 3, fixed = true); parameter Real p(fixed = false), q = 2*p; initial equation x = 2*y; p = 5; equation der(x) = -x; der(y) = -y*p; end M;";
  BOOST_TEST(run(text).violated.empty());
  const verify::Report r = run(text, [](runtime::Program& p) { replace(p, p.initial, runtime::Opcode::multiply, runtime::Opcode::add); });
  BOOST_REQUIRE(!r.violated.empty());
  BOOST_TEST(r.violated[0].time == 0.0);
}

// What index reduction has differentiated is an equation too.
BOOST_AUTO_TEST_CASE(hidden_constraints_are_among_them) {
  const verify::Report r = run("model M Real x(start = 1, fixed = true), y, u, v; equation y = x^2; der(x) = u; der(y) = v; u = cos(time); end M;");
  BOOST_TEST(r.violated.empty(), texts(r));
  BOOST_TEST(r.equations >= 5u);
}

// At 4e16 m/s the ball is metres away at the next instant that a double can tell from the impact.
BOOST_AUTO_TEST_CASE(what_a_rounding_of_the_time_moves_is_no_contradiction) {
  for (const char* e : {"9007199254740992", "1e6"}) {
    const verify::Report r = run(std::string("model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; "
                                             "when h < 0 then reinit(v, -") + e + "*pre(v)); end when; end M;");
    BOOST_TEST(r.violated.empty(), texts(r));
  }
}

// E14: log(x) > -1 is not evaluated where x > 2 is false, though it would be true; nor is what stands in a branch that is not taken.
BOOST_AUTO_TEST_CASE(a_relation_that_is_not_evaluated_is_no_contradiction) {
  for (const char* text : {"model M Real x(start = 1, fixed = true); Boolean c = x > 2 and log(x) > -1; equation der(x) = -0.1; end M;",
                           "model M Real u = 1; parameter Boolean use = false; Real y; algorithm y := 7; if use then if sqrt(u) > 0.5 then y := 1; end if; end if; end M;",
                           "model M Real x, y; algorithm x := time; if abs(x) > 0 then x := x - 1; else y := 0; end if; end M;"}) {
    const verify::Report r = run(text);
    BOOST_TEST(r.violated.empty(), texts(r));
  }
}

// x*der(x)/x with an x that is almost nothing: what rounding may do to it is without bound, and -5e-324 has no digits to lose.
BOOST_AUTO_TEST_CASE(below_the_smallest_number_nothing_is_exact) {
  for (const char* text : {"model M Real x(start = 5e-324, fixed = true); equation der(x^x) = -x; end M;",
                           "model M Real x(start = 1e-310, fixed = true), y; equation der(x) = -x/3; y = x*0.3; end M;"}) {
    const verify::Report r = run(text);
    BOOST_TEST(r.violated.empty(), texts(r));
  }
}

// The smallest number and 0 are a rounding apart, and the power of the one is 1, that of the other 0.
BOOST_AUTO_TEST_CASE(where_a_root_begins_its_slope_has_no_end) {
  const verify::Report r = run("model M Real m(start = 9), h(start = 150), p(start = 10), k, w; Real open = if time < 1e-3 then 1 - time else 0; "
                               "equation m = open*p; k = 2 - sqrt(h - 20)/100; p = k*5*exp(-m^1e-12/1e-6); w = m*5*p; m*(h - 100) = w; end M;");
  BOOST_TEST(r.violated.empty(), texts(r));
  BOOST_TEST(r.equations == 6u);
}

BOOST_AUTO_TEST_CASE(what_is_not_looked_at_is_counted) {
  const verify::Report r = run("model M Real x, d, s(start = 0, fixed = true); equation x = sin(time); d = delay(x, 0.1); when sample(0, 0.3) then s = x; end when; end M;");
  BOOST_TEST(r.violated.empty(), texts(r));
  std::size_t delays = 0, whens = 0;
  for (const auto& [why, count] : r.unchecked) {
    if (why.find("delay") != std::string::npos) delays += count;
    if (why.find("when") != std::string::npos) whens += count;
  }
  BOOST_TEST(delays == 1u);
  BOOST_TEST(whens == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
