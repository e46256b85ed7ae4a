// Linear systems that leave an unknown open at initialisation, without a contradiction: any value solves them, and it has its start value (E9).

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(open_starts)

BOOST_AUTO_TEST_CASE(what_a_flow_of_zero_would_bring_along_has_its_start_value) {
  const Run r = run("model M Real m = 2*time, H, h(start = 3), other; equation H = m*h; H = 5*m; other = h + 1; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("h") == 3);
  BOOST_TEST(r.initial("other") == 4);
  BOOST_TEST(r.at("h", 0.5) == 5, tolerance(1e-12));
  BOOST_TEST(r.message().find("nothing determines h here") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(pipes_at_rest) {
  // A pump that gives off heat with its flow, between an ambience and a pipe that holds heat: at rest nothing says how warm it is.
  const Run r = run("model M parameter Real ha = 4, mass = 2; Real m = max(0, time - 0.5), p(start = 7), h(start = 9, fixed = true), Ha, Hb; "
                    "equation Ha = semiLinear(m, ha, p); Hb = -p*m; Ha + Hb + m = 0; mass*der(h) = m*(p - h); end M;", 2.5, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("p") == 7);
  BOOST_TEST(r.at("h", 0.4) == 9, tolerance(1e-9));
  BOOST_TEST(r.final("h") == 5 + 4 * std::exp(-1.0), tolerance(1e-6));   // der(h) = -(h - 5)*m/mass; the mass that came in is 2
}

BOOST_AUTO_TEST_CASE(states_keep_theirs) {
  // Two initial equations that say the same for these values: one state is left, and is taken from its start value.
  const Run r = run("model M parameter Real k(fixed = false), c(start = 2, fixed = false); Real x(start = 1), y(start = 5); "
                    "initial equation x + y = 8; c*x + k*y = 8*c; k = c; c*c = 4; equation der(x) = -x; der(y) = 0; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("x") + r.initial("y") == 8, tolerance(1e-9));
  BOOST_TEST((r.initial("x") == 1 || r.initial("y") == 5));
}

BOOST_AUTO_TEST_CASE(a_contradiction_stays_one) {
  const Run r = run("model M Real m = 2*time, x(start = 3); equation m*x = 1; end M;");
  BOOST_TEST(!r.ended());
  const Run system = run("model M Real k = 1 + time, x, y; equation x + y = 1; x + k*y = 2; end M;");
  BOOST_TEST(!system.ended());
}

BOOST_AUTO_TEST_CASE(what_moves_is_not_taken_from_anywhere) {
  const Run r = run("model M Real k = max(0, time - 1), x(start = 3), z(start = 0, fixed = true); equation k*x = 0; der(z) = x; end M;", 2);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("the motion depends on it") != std::string::npos, r.message());
  // What changes at events alone would have it for long.
  for (const char* k : {"if time < 2 then 0 else 1", "0*n"}) {
    const Run discrete = run(std::string("model M parameter Integer n = 3; Real k = ") + k + ", x(start = 3), y; equation k*x = 0; y = x + 1; end M;");
    BOOST_TEST(!discrete.ended(), k);
    BOOST_TEST(discrete.message().find("cannot be solved for x") != std::string::npos, discrete.message());
  }
}

BOOST_AUTO_TEST_CASE(another_choice_of_relations_comes_first) {
  // With both switches open the node would be open, and anything solve it; with one closed nothing is open.
  const Run r = run("model M Real v(start = 0.5), s, i; Boolean off; equation off = s < 0; i = s*(if off then 0 else 1); 2 - v = s*(if off then 1 else 0); i = (v - 1)*(if off then 0 else 1); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("v") == 2, tolerance(1e-12));
  BOOST_TEST(r.initial("i") == 1, tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
