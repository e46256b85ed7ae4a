// Functions whose annotation names their derivative (MLS 12.7.1). The derivatives named here are not those of the algorithms, to tell
// them apart.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

/// v = der(y) at t = 1.5 in a model with these functions.
void holds(const std::string& functions, const std::string& y, double v) {
  const Run r = run(functions + " model M Real y = " + y + "; Real v = der(y); end M;", 1.5, 1e-8, 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), functions << "\n" << r.diagnostics << r.message());
  BOOST_TEST(r.final("v") == v, boost::test_tools::tolerance(1e-9));
}

const double t = 1.5;

}  // namespace

BOOST_AUTO_TEST_SUITE(function_annotations)

BOOST_AUTO_TEST_CASE(an_input_without_derivative) {
  // f = x^2*k: d/dt by x alone, 2*x*k*der(x), though k varies as well.
  const std::string f = "function f input Real x; input Real k; output Real y; algorithm y := x^2*k; annotation(Inline = false, derivative(noDerivative = k) = f_der); end f; "
                        "function f_der input Real x; input Real k; input Real x_der; output Real y_der; algorithm y_der := 2*x*k*x_der; end f_der;";
  holds(f, "f(time, time)", 2*t*t);
  holds(f, "f(3*time, 2) + 1", 2*9*t*2);
  holds(f, "f(x = sin(time), k = time)", 2*std::sin(t)*std::cos(t)*t);
}

BOOST_AUTO_TEST_CASE(a_record_without_derivative) {
  // What follows from the record is held: y = r.a, der(y) = r.b*der(x).
  const std::string f = "record R Real a; Real b; end R; function r input Real x; output R r; algorithm r := R(a = x^3, b = 7*x); end r; "
                        "function of input Real x; input R r; output Real y; algorithm y := r.a; annotation(derivative(noDerivative = r) = of_der, Inline = false, LateInline = true); end of; "
                        "function of_der input Real x; input R r; input Real x_der; output Real y_der; algorithm y_der := r.b*x_der; end of_der; "
                        "function g input Real x; output Real y; algorithm y := of(x, r(x)); annotation(Inline = true); end g;";
  holds(f, "of(time, r(time))", 7*t);
  holds(f, "g(time^2)", 7*t*t*2*t);
}

BOOST_AUTO_TEST_CASE(arrays_integers_and_known_inputs) {
  const std::string f = "function f input Real x[:]; input Integer n; input Real k = 2; output Real y; output Integer m; algorithm y := 0; for i in 1:n loop y := y + k*x[i]^3; end for; m := n; "
                        "annotation(derivative(order = 1, noDerivative = k) = f_der, Inline = false); end f; "
                        "function f_der input Real x[:]; input Integer n; input Real k; input Real x_der[size(x, 1)]; output Real y_der; algorithm y_der := 0; "
                        "for i in 1:n loop y_der := y_der + 100*k*x_der[i]; end for; end f_der;";
  holds(f, "f({time, time^2, 5}, 3)", 200*(1 + 2*t));
  holds(f, "f({time, time^2, 5}, 1, k = time)", 100*t);
}

BOOST_AUTO_TEST_CASE(of_a_function_that_stays_code) {
  // Of a function with a loop that the run alone knows the derivative is the one that is named, too: 42.
  const std::string f = "function f input Real x; input Integer n; output Real y; algorithm y := 0; for i in 1:n loop y := y + x; end for; annotation(derivative = f_der); end f; "
                        "function f_der input Real x; input Integer n; input Real x_der; output Real y_der; algorithm y_der := 42*x_der; end f_der;";
  const Run r = run(f + " model M Integer n(start = 3, fixed = true); Real y = f(time, n); Real v = der(y); equation when time > 9 then n = 4; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.final("v") == 42);
}

// As Modelica.Mechanics.Rotational.Sources.Move says that a signal is the derivative of another, whatever that one's own derivative is.
BOOST_AUTO_TEST_CASE(signals_that_are_derivatives) {
  const std::string f = "function p input Real q[3]; input Real dummy; output Real y; algorithm y := q[1]; annotation(derivative(noDerivative = q) = p_der, InlineAfterIndexReduction = true); end p; "
                        "function p_der input Real q[3]; input Real dummy; input Real dummy_der; output Real y; algorithm y := q[2]; "
                        "annotation(derivative(noDerivative = q, order = 2) = p_der2, InlineAfterIndexReduction = true); end p_der; "
                        "function p_der2 input Real q[3]; input Real dummy; input Real dummy_der; input Real dummy_der2; output Real y; algorithm y := q[3]; end p_der2; ";
  // Version 3.2.3 of the standard library has LateInline there.
  std::string late = f;
  for (std::size_t at = 0; (at = late.find("InlineAfterIndexReduction", at)) != std::string::npos;) late.replace(at, 25, "LateInline");
  for (const auto& [functions, state] : {std::pair{f, ""}, std::pair{f, "(stateSelect = StateSelect.prefer)"}, std::pair{late, ""}}) {
    const Run r = run(functions + "model M Real u[3]; Real phi, w, a, tau; Real x" + std::string(state) + "; parameter Real k = 7; discrete Integer n(start = 1, fixed = true); "
                      "equation u[1] = n; u[2] = time; u[3] = k; phi = p(u, time); phi = x - 1; w = der(x); a = der(w); 2*a = tau; when time >= 1 then n = 2; end when; end M;", 1.5);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    BOOST_TEST(r.final("x") == 3);
    BOOST_TEST(r.final("w") == 1.5);
    BOOST_TEST(r.final("a") == 7);
    BOOST_TEST(r.final("tau") == 14);
  }
}

// An annotation that holds for some calls alone, or that cannot be used, leaves the algorithm's own derivative.
BOOST_AUTO_TEST_CASE(what_is_not_used) {
  const std::string f = "function f input Real x; input Real k; output Real y; protected Real s; algorithm s := x^2; y := s*k; ";
  const std::string der = " function f_der input Real x; input Real k; input Real x_der; output Real y_der; algorithm y_der := 1000; end f_der;";
  holds(f + "annotation(derivative(zeroDerivative = k) = f_der); end f;" + der, "f(time, time)", 3*t*t);
  holds(f + "annotation(derivative(order = 2) = f_der); end f;" + der, "f(time, time)", 3*t*t);
  holds(f + "annotation(derivative(noDerivative = k) = f_der, InlineAfterIndexReduction = true); end f;" + der, "f(time, time)", 3*t*t);
}

BOOST_AUTO_TEST_SUITE_END()
