// Derivatives of functions that annotations name (MLS 12.7.1), where index reduction needs them. Each is wrong by a factor, so that it shows
// which was taken: a run with these tells more than one whose derivatives all agree.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;

namespace {

/// A loop, so that it stays code: sum of u^k for k in 1:n.
const std::string sums =
    "function sum_f input Real u; input Real a; input Integer n; output Real y; protected Real p; "
    "algorithm y := 0; p := 1; for k in 1:n loop p := p*u; y := y + p; end for; y := a*y; ANNOTATION end sum_f; ";

std::string with(const std::string& annotation) {
  std::string text = sums;
  text.replace(text.find("ANNOTATION"), 10, annotation.empty() ? "" : "annotation(" + annotation + ");");
  return text;
}

/// v = der(y) for y = sum_f(u, a, n) with u = 1 + time, n = 3.
double slope(const std::string& functions, const std::string& a = "2") {
  const Run r = run(functions + "model M Integer n(start = 3, fixed = true); Real u = 1 + time; " + (a == "2" ? "parameter " : "") + "Real a = " + a + "; Real y = sum_f(u, a, n), v = der(y); "
                    "equation when time > 5 then n = 4; end when; end M;", 1, 1e-8, 4);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  return r.final("v");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(derivative_rules)

// At u = 2: 1 + 2u + 3u^2 = 17, twice that with a = 2.
BOOST_AUTO_TEST_CASE(named_and_not_named) {
  const std::string named = "function ten input Real u; input Real a; input Integer n; input Real der_u; input Real der_a; output Real der_y; "
                            "algorithm der_y := 10*a*der_u + 1000*der_a; end ten; ";
  BOOST_TEST(slope(with("")) == 34, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(slope(with("derivative = ten") + named) == 20, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(slope(with("derivative = ten") + named, "2*time") == 20 + 2000, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(constraints) {
  const std::string first = "function first input Real u; input Real a; input Integer n; input Real der_u; output Real der_y; algorithm der_y := 7*der_u; end first; ";
  const std::string second = "function second input Real u; input Real a; input Integer n; input Real der_u; input Real der_a; output Real der_y; "
                             "algorithm der_y := 8*der_u; end second; ";
  const std::string zero = with("derivative(zeroDerivative = a) = first, derivative = second") + first + second;
  BOOST_TEST(slope(zero) == 7, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(slope(zero, "2*time") == 8, boost::test_tools::tolerance(1e-9));   // a moves: the first does not fit
  BOOST_TEST(slope(with("derivative(noDerivative = a) = first") + first, "2*time") == 7, boost::test_tools::tolerance(1e-9));
}

// Of the second order: what the first one is called with is what u and its derivative are.
BOOST_AUTO_TEST_CASE(second_order) {
  const Run r = run(
      "function f input Real u; input Integer n; output Real y; algorithm y := 0; for k in 1:n loop y := y + u^2; end for; annotation(derivative = f1); end f; "
      "function f1 input Real u; input Integer n; input Real du; output Real dy; algorithm dy := 0; for k in 1:n loop dy := dy + 2*u*du; end for; annotation(derivative(order = 2) = f2); end f1; "
      "function f2 input Real u; input Integer n; input Real du; input Real ddu; output Real ddy; algorithm ddy := n*(2*du^2 + 2*u*ddu) + 100; end f2; "
      "model M Integer n(start = 3, fixed = true); Real u = 1 + time^2, y = f(u, n), v = der(y), w = der(v); equation when time > 5 then n = 4; end when; end M;", 1, 1e-8, 4);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  // At 1: u = 2, u' = 2, u'' = 2.
  BOOST_TEST(r.final("v") == 3*2*2*2.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.final("w") == 3*(2*4 + 2*2*2) + 100.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(an_external_function_without_one) {
  const Run r = run("function at input Real u; output Integer n; output Real x; external \"C\" ModelicaStrings_scanReal(\"1 2\", 1, u > 0, n, x); end at; "
                    "model M Real x, n, v = der(x); equation (n, x) = at(time); end M;");
  BOOST_TEST(!r.compiled);
  BOOST_TEST(r.diagnostics.find("the derivative of the external function ModelicaStrings_scanReal is needed here, which nothing gives") != std::string::npos, r.diagnostics);
}

BOOST_AUTO_TEST_SUITE_END()
