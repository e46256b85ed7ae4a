// A term with a factor that is 0 for the parameter values of a run says nothing: the equation determines another unknown than it would
// otherwise, and der(i) in L*der(i) with L = 0 makes no state. Expected values are closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

Run good(const std::string& text, double stop = 1) {
  Run r = run(text, stop, 1e-8, 50);
  BOOST_REQUIRE_MESSAGE(r.ended(), text + "\n" + r.diagnostics + r.message());
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vanishing)

BOOST_AUTO_TEST_CASE(a_resistance_of_zero_before_a_capacitor) {
  // The current stands in the equation that no longer knows of it: R*i = u - v.
  const std::string circuit = "model M parameter Real R = 0, C = 2; Real u = 3 + sin(time), v, i; equation R*i = u - v; C*der(v) = i; end M;";
  const Run r = good(circuit);
  BOOST_TEST(r.at("v", 0.5) == 3 + std::sin(0.5), tolerance(1e-9));
  BOOST_TEST(r.at("i", 0.5) == 2 * std::cos(0.5), tolerance(1e-9));
  // And with a resistance the state is one: der(v) = (3 - v)/2 from v(0) = 0.
  const Run other = good("model M parameter Real R = 1, C = 2; Real v(start = 0, fixed = true), i; equation R*i = 3 - v; C*der(v) = i; end M;");
  BOOST_TEST(other.final("v") == 3 * (1 - std::exp(-0.5)), tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(several_of_them_between_inner_nodes) {
  // As in a transistor: two inner nodes without resistances to the outer ones, and what flows between them.
  const Run r = good("model M parameter Real rd = 0, rs = 0, g = 0.5; Real d, s, id, is, di, si; "
                     "equation d = 2 + time; s = 1; id*rd = d - di; is*rs = s - si; 0 = -id + g*(di - si)^3; 0 = -is - g*(di - si)^3; end M;");
  for (const double t : {0.0, 0.5, 1.0}) {
    BOOST_TEST(r.at("id", t) == 0.5 * std::pow(1 + t, 3), tolerance(1e-9));
    BOOST_TEST(r.at("is", t) == -0.5 * std::pow(1 + t, 3), tolerance(1e-9));
    BOOST_TEST(r.at("di", t) == 2 + t, tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(inductances_and_capacitances_of_zero_hold_no_state) {
  const Run r = good("model M parameter Real L = 0, C = 0, R = 4; Real u = 8*(1 + time), i(start = 7), v(start = 9), ic; equation u = R*i + v + L*der(i); ic = C*der(v); v = 4*(i - ic); end M;");
  BOOST_TEST(r.initial("i") == 1, tolerance(1e-9));
  BOOST_TEST(r.final("i") == 2, tolerance(1e-9));
  BOOST_TEST(r.final("ic") == 0);
  BOOST_TEST(r.program.states.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_branch_that_the_parameters_do_not_take) {
  // In quasi-steady state the flux is what the current makes it, and no state.
  const std::string text = "model M parameter Boolean quasi = true; parameter Real L = 0.5, R = 2; Real psi, i, v, u = 2 + 2*time; equation psi = L*i; v = if quasi then 0 else der(psi); u = R*i + v; end M;";
  const Run r = good(text);
  BOOST_TEST(r.final("i") == 2, tolerance(1e-12));
  BOOST_TEST(r.final("psi") == 1, tolerance(1e-12));
  std::string dynamic = text;
  dynamic.replace(dynamic.find("true"), 4, "false");
  dynamic.replace(dynamic.find("psi, i"), 6, "psi(start = 0, fixed = true), i");
  // der(psi) = 2 + 2*t - 4*psi: psi = 3/8 + t/2 - 3/8*exp(-4*t).
  BOOST_TEST(good(dynamic).final("psi") == 0.875 - 0.375 * std::exp(-4.0), tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_is_zero_by_other_equations) {
  // The actual resistance follows from a resistance of 0; the capacitance from three factors, one of them 0, whatever the others are.
  const std::string text = "model M parameter Real R = 0, alpha = 0.1, tau = 0, Cj = 0; Real T = 300 + time, actual, i, u = 5 + time, v, c, cj, s; "
                           "equation actual = R*(1 + alpha*(T - 300)); actual*i = u - v; cj = Cj*exp(v); c = smooth(1, tau*T/v^2*exp(v) + cj); s = c*der(v); i = s + v/10; end M;";
  const Run r = good(text);
  BOOST_TEST(r.final("v") == 6, tolerance(1e-12));
  BOOST_TEST(r.final("i") == 0.6, tolerance(1e-12));
  BOOST_TEST(r.final("s") == 0);
  // What makes it 0 is evaluated all the same, and a division by zero in it is one.
  std::string fails = text;
  fails.replace(fails.find("5 + time"), 8, "time - 0.5");
  const Run f = run(fails);
  BOOST_TEST(!f.ended());
  BOOST_TEST(f.message().find("division by zero") != std::string::npos, f.message());
}

BOOST_AUTO_TEST_CASE(a_factor_that_may_fail_stays) {
  const Run f = run("model M parameter Real k = 0; Real y = 1 + k*(1/(time - 0.5)); end M;");
  BOOST_TEST(!f.ended());
  BOOST_TEST(f.message().find("division by zero") != std::string::npos, f.message());
}

BOOST_AUTO_TEST_CASE(what_then_lacks_an_equation_is_told_of_the_equations_as_written) {
  const Run r = run("model M parameter Real k = 0; Real x, y; equation k*x = 0; y = x; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST((r.diagnostics + r.message()).find("k*x = 0") != std::string::npos, r.diagnostics + r.message());
}

BOOST_AUTO_TEST_SUITE_END()
