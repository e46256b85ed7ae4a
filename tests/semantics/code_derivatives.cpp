// First and second derivatives of functions that are code, asked for by index reduction: a constraint through a loop of any length,
// against the motion that it prescribes.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;

namespace {

// 1 + x + ... + x^n = (1 - x^(n + 1))/(1 - x), by Horner's scheme.
const std::string horner = "function p input Real x; input Integer n; output Real y = 0; algorithm for k in 0:n loop y := y*x + 1; end for; end p; ";
// The same by powers kept in an array, and by a function that calls itself.
const std::string powers = "function p input Real x; input Integer n; output Real y; protected Real w[n + 1]; algorithm w[1] := 1; for k in 1:n loop w[k + 1] := w[k]*x; end for; y := sum(w); end p; ";
const std::string recursion = "function p input Real x; input Integer n; output Real y; algorithm y := if n == 0 then 1 else 1 + x*p(x, n - 1); end p; ";

const std::string moves = "Real X = 0.5 + 0.1*sin(time); ";   // the motion, and what the sum is then

void follows(const std::string& function, const std::string& size, int n, double accuracy) {
  const std::string degree = std::to_string(n);
  const Run r = run(function + "model M " + size + moves + "Real x(start = 0.5), v, F; equation der(x) = v; der(v) = F; p(x, n) = (1 - X^(" + degree + " + 1))/(1 - X); end M;", 3, accuracy, 30);
  BOOST_TEST_CONTEXT(function << size << n << " at " << accuracy) {
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    for (const double t : {0.0, 1.0, 2.0, 3.0}) {
      BOOST_TEST(std::abs(r.at("x", t) - (0.5 + 0.1*std::sin(t))) < accuracy);
      BOOST_TEST(std::abs(r.at("v", t) - 0.1*std::cos(t)) < accuracy);
      BOOST_TEST(std::abs(r.at("F", t) + 0.1*std::sin(t)) < 10*accuracy);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(code_derivatives)

BOOST_AUTO_TEST_CASE(a_constraint_through_a_loop) {
  for (const int n : {5, 50, 500})
    for (const double accuracy : {1e-4, 1e-6, 1e-9})
      for (const char* const size : {"parameter Integer n = ", "Integer n(fixed = true, start = "}) {
        const std::string declared = size + std::to_string(n);
        follows(horner, declared + (declared.find("start") == std::string::npos ? "; " : ") = pre(n); "), n, accuracy);
      }
}

BOOST_AUTO_TEST_CASE(through_an_array) {
  for (const int n : {5, 50, 500}) follows(powers, "parameter Integer n = " + std::to_string(n) + "; ", n, 1e-6);
}

BOOST_AUTO_TEST_CASE(through_a_function_that_calls_itself) {
  for (const int n : {5, 10, 20}) follows(recursion, "Integer n(fixed = true, start = " + std::to_string(n) + ") = pre(n); ", n, 1e-6);
}

// x is a state, and what is asked for is the derivative of a sum along its motion: x = exp(-t), w = p(x), der(w) = p'(x)*(-x).
BOOST_AUTO_TEST_CASE(along_a_motion_that_is_integrated) {
  for (const int n : {5, 50, 500})
    for (const double accuracy : {1e-4, 1e-6, 1e-9}) {
      const Run r = run(horner + "model M parameter Integer n = " + std::to_string(n) + "; Real x(start = 0.9, fixed = true), w, a; equation der(x) = -x; w = p(x, n); a = der(w); end M;", 2, accuracy, 20);
      BOOST_TEST_CONTEXT(n << " at " << accuracy) {
        BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
        for (const double t : {0.0, 0.5, 2.0}) {
          const double x = 0.9*std::exp(-t);
          double w = 0, slope = 0;
          for (int k = n; k >= 0; --k) slope = slope*x + w, w = w*x + 1;
          BOOST_TEST(std::abs(r.at("w", t) - w) < 100*accuracy);
          BOOST_TEST(std::abs(r.at("a", t) + slope*x) < 1000*accuracy);   // the slope of p is 100 at x = 0.9
        }
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
