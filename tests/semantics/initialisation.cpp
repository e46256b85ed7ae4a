// E9: the initial system.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(initialisation)

BOOST_AUTO_TEST_CASE(E9_start_values_of_states_are_assumed_and_named) {
  const Run r = run("model M Real x(start=3), y(start=4); equation der(x) = 0; der(y) = 0; end M;");
  BOOST_TEST(r.initial("x") == 3);
  BOOST_TEST(r.program.assumed_starts.size() == 2u);
}

BOOST_AUTO_TEST_CASE(E9_initial_equations_decide_before_start_values) {
  const Run r = run("model M Real x(start=3), y(start=4); initial equation x + y = 10; x - y = 2; equation der(x) = 0; der(y) = 0; end M;");
  BOOST_TEST(std::abs(r.initial("x") - 6) < 1e-9);
  BOOST_TEST(std::abs(r.initial("y") - 4) < 1e-9);
  BOOST_TEST(r.program.assumed_starts.empty());
}

BOOST_AUTO_TEST_CASE(E9_steady_state) {
  const Run r = run("model M Real x(start=1), y; initial equation der(x) = 0; equation der(x) = 4 - x^2; y = 3*x; end M;");
  BOOST_TEST(std::abs(r.initial("x") - 2) < 1e-6);
  BOOST_TEST(std::abs(r.final("y") - 6) < 1e-6);
}

BOOST_AUTO_TEST_CASE(E9_a_parameter_may_be_what_is_sought) {
  const Run r = run("model M parameter Real p(fixed=false, start=1); Real x(start=2, fixed=true); initial equation der(x) = 6; "
                    "equation der(x) = p*x; end M;", 0.1);
  BOOST_TEST(r.ended());
  BOOST_TEST(std::abs(r.initial("der(x)") - 6) < 1e-9);
  BOOST_TEST(std::abs(r.final("x") - 2 * std::exp(0.3)) < 1e-4);
}

BOOST_AUTO_TEST_CASE(E9_initial_algorithms) {
  const Run r = run("model M Real x; Integer n; initial algorithm n := 2; for i in 1:3 loop n := n + i; end for; x := 0.5*n; "
                    "equation der(x) = 1; when time > 0.5 then n = pre(n) + 1; end when; end M;");
  BOOST_TEST(r.initial("x") == 4);
  BOOST_TEST(r.initial("n") == 8);
  BOOST_TEST(r.final("n") == 9);
}

BOOST_AUTO_TEST_CASE(E9_discrete_variables_begin_with_their_start_or_an_initial_equation) {
  const Run r = run("model M Integer a(start=3), b; Boolean c; initial equation b = 5; c = true; equation "
                    "when time > 2 then a = 0; b = 0; c = false; end when; end M;");
  BOOST_TEST(r.initial("a") == 3);
  BOOST_TEST(r.initial("b") == 5);
  BOOST_TEST(r.initial("c") == 1);
}

BOOST_AUTO_TEST_CASE(E9_over_determined_is_an_error_that_names_what_competes) {
  const std::string c = complaints("model M\n  Real x(start=1, fixed=true);\ninitial equation\n  x = 2;\nequation\n  der(x) = 0;\nend M;\n");
  BOOST_TEST(c.find("error:") != std::string::npos);
  BOOST_TEST(c.find("test.mo:4:3") != std::string::npos);
  BOOST_TEST(c.find("test.mo:2:8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(E9_homotopy_is_its_actual_expression_in_the_end) {
  const Run r = run("model M Real x(start=1); equation 0 = homotopy(x^3 - 8, x - 1); end M;");
  BOOST_TEST(std::abs(r.initial("x") - 2) < 1e-6);
}

BOOST_AUTO_TEST_CASE(E9_mixed_systems_find_the_branch_that_holds) {
  // An ideal diode: the relation depends on the unknown of its own loop.
  const Run r = run("model M Real s, u, i, v; Boolean off = s < 0; equation u = if off then s else 0; i = if off then 0 else s; "
                    "v = 2*cos(6.28318530717958647692*time); v = u + 2*i; end M;");
  BOOST_TEST(r.events() == 2u);
  BOOST_TEST(std::abs(r.initial("i") - 1) < 1e-9);
  BOOST_TEST(std::abs(r.at("u", 0.5) + 2) < 1e-9);
  BOOST_TEST(r.at("i", 0.5) == 0);
}

BOOST_AUTO_TEST_CASE(samples_delays_and_clocks_follow_parameters_that_are_found) {
  // sample(0.1 + 1/4, 1/4): 0.35, 0.6, 0.85
  const Run sample = run("model M parameter Real f(fixed = false), t0 = 0.1; Integer n(start = 0, fixed = true); initial equation 2*f = 8; equation when sample(t0 + 1/f, 1/f) then n = pre(n) + 1; end when; end M;");
  BOOST_REQUIRE(sample.ended());
  BOOST_TEST(sample.at("n", 0.3) == 0);
  BOOST_TEST(sample.at("n", 0.4) == 1);
  BOOST_TEST(sample.final("n") == 3);
  const Run delay = run("model M parameter Real d(fixed = false); Real y = delay(time, d); initial equation d = 0.25; end M;");
  BOOST_TEST(delay.final("y") == 0.75, boost::test_tools::tolerance(1e-6));
  const Run clock = run("model M parameter Real T(fixed = false); Integer n(start = 0); Real y; initial equation T = 0.2; equation when Clock(T) then n = previous(n) + 1; end when; y = hold(n); end M;");
  BOOST_TEST(clock.final("y") == 6);
}

BOOST_AUTO_TEST_SUITE_END()
