// The derivatives that the integrator and the solvers of systems of equations use, where functions that are code are called.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

/// A function with 60 variables of its own that stays code: (x + 60)*(x + 1).
const std::string long_function =
    "function f input Real x; input Integer n; output Real y; protected Real w[60]; algorithm for i in 1:60 loop w[i] := x*i; end for; "
    "y := 0; for i in 1:n loop y := y + (w[i] + w[n + 1 - i])/(n + 1); end for; y := y + x^3; end f; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(jacobians)

// What a system of one unknown leaves in its function's variables must not be taken for the derivatives of another system, of another
// width. With wrong ones the integrator finds the solution all the same, in very short steps.
BOOST_AUTO_TEST_CASE(systems_of_several_sizes_with_functions) {
  std::string body = "Integer n(start = 60, fixed = true); Real z(start = 1); Real p[3](each start = 1); Real a[12](each start = 1, each fixed = true), b[12](each start = 0, each fixed = true); equation "
                     "f(z, n) = 61 + time; for i in 1:3 loop f(p[i], n) = 61 + 0.1*i + sum(p) - 3*p[i]*p[i]/p[i]; end for; "
                     "for i in 1:12 loop 1e-6*der(a[i]) + 1e-7*der(b[i]) = z - a[i]*i; 1e-7*der(a[i]) + 1e-6*der(b[i]) = z*f(a[i]/1e3, n) - b[i]*i; end for; "
                     "when time > 9 then n = 1; end when;";
  const Run r = run(long_function + "model M " + body + " end M;", 1, 1e-6, 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  // At rest: a = z/i but for what z moves in 1e-6 s.
  for (int i = 1; i <= 12; ++i)
    BOOST_TEST(r.final("a[" + std::to_string(i) + "]") * i == r.final("z"), boost::test_tools::tolerance(1e-5));
  BOOST_TEST(r.result.statistics.steps < 2000u);
}

BOOST_AUTO_TEST_SUITE_END()
