// A guess that passes through an equation with a steep slope to a large value gives no digits away.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(large_values)

namespace {
double permeability(double b) {
  const double n = std::abs(b / 0.7);
  return 1 + (499 + 24000 * n) / (1 + 9.38 * n + std::pow(n, 9.6));
}
}  // namespace

// Iron with a permeability from 500 on, whose curve has no value for a negative n: at 0 the solution lies on its edge.
// The flux density is that of B = mu0*mu_r(B)*H, by bisection.
BOOST_AUTO_TEST_CASE(a_flux_tube_from_zero) {
  const Run r = run("model M parameter Real area = 1e-4, l = 0.01; Real n, mu, G, R, B, A, V, phi; equation A = area; V = 5*time; "
                    "n = abs(B/0.7); mu = 1 + (500 - 1 + 24000*n)/(1 + 9.38*n + n^9.6); R = 1/G; V = phi*R; B = phi/A; G = 1.25663706212e-6*mu*A/l; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("B") == 0);
  BOOST_TEST(std::abs(r.initial("mu") - 500) < 1e-9);
  double low = 0, high = 3;
  for (int k = 0; k < 100; ++k) {
    const double b = (low + high) / 2;
    (b < 1.25663706212e-6 * permeability(b) * 500 ? low : high) = b;
  }
  BOOST_TEST(std::abs(r.final("B") - low) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
