// Linear systems whose matrix stays, jumps at an event, or moves with a state: whether its factors are kept, refactored or made anew, the solution is that of
// an elimination of its own with pivoting, at three sizes (dense, sparse) and three tolerances.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "support.hpp"

using namespace mosim::tests;

namespace {

/// -z[i - 1] + d*z[i] - z[i + 1] = u: what each z is for u = 1.
std::vector<double> solution(std::size_t n, double d) {
  std::vector<std::vector<double>> a(n, std::vector<double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    a[i][i] = d;
    if (i > 0) a[i][i - 1] = -1;
    if (i + 1 < n) a[i][i + 1] = -1;
    a[i][n] = 1;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k] == 0) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  std::vector<double> z(n);
  for (std::size_t k = n; k-- > 0;) {
    double sum = a[k][n];
    for (std::size_t j = k + 1; j < n; ++j) sum -= a[k][j] * z[j];
    z[k] = sum / a[k][k];
  }
  return z;
}

std::string chain(std::size_t n, const std::string& d) {
  return fmt::format("model M constant Integer n = {}; Real x(start = 1, fixed = true), u = sin(time), q(start = 0, fixed = true); Real d = {}; Real z[n]; equation "
                     "der(x) = -x; der(q) = z[{}] - q; d*z[1] - z[2] = u; for i in 2:n - 1 loop -z[i - 1] + d*z[i] - z[i + 1] = u; end for; -z[n - 1] + d*z[n] = u; end M;",
                     n, d, n / 2);
}

const std::vector<std::size_t> sizes{6, 60, 200};
const std::vector<double> tolerances{1e-4, 1e-6, 1e-9};

void check_solution(const Run& r, std::size_t n, double t, double d, double allowed) {
  const std::vector<double> exact = solution(n, d);
  double size = 0;
  for (const double z : exact) size = std::max(size, std::abs(z));
  for (const std::size_t k : {std::size_t(0), n / 2 - 1, n - 1})
    BOOST_TEST(std::abs(r.at(fmt::format("z[{}]", k + 1), t) - exact[k] * std::sin(t)) <= allowed * size, fmt::format("z[{}] of {} at {}: {}, {}", k + 1, n, t, r.at(fmt::format("z[{}]", k + 1), t), exact[k] * std::sin(t)));
}

/// Of q' = c sin(t) - q from q(t0) = q0.
double filtered(double c, double t0, double q0, double t) {
  const auto steady = [&](double s) { return 0.5 * c * (std::sin(s) - std::cos(s)); };
  return steady(t) + (q0 - steady(t0)) * std::exp(t0 - t);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kept_factors)

BOOST_AUTO_TEST_CASE(a_matrix_that_jumps) {
  for (const std::size_t n : sizes)
    for (const double tolerance : tolerances) {
      const Run r = run(chain(n, "if time < 0.5 then 3 else if time < 1 then -2.5 else 3"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const auto& [t, d] : {std::pair(0.25, 3.0), {0.5, -2.5}, {0.75, -2.5}, {1.0, 3.0}, {2.0, 3.0}}) check_solution(r, n, t, d, 1e-13);
      const double first = solution(n, 3)[n / 2 - 1], second = solution(n, -2.5)[n / 2 - 1];
      const double half = filtered(first, 0, 0, 0.5), one = filtered(second, 0.5, half, 1);
      BOOST_TEST(std::abs(r.final("q") - filtered(first, 1, one, 2)) < 5 * tolerance, fmt::format("{} at tolerance {}", n, tolerance));
    }
}

BOOST_AUTO_TEST_CASE(a_matrix_that_moves) {
  for (const std::size_t n : sizes)
    for (const double tolerance : tolerances) {
      const Run r = run(chain(n, "2.5 + x"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0}) {
        check_solution(r, n, t, 2.5 + r.at("x", t), 1e-13);               // of its own row
        check_solution(r, n, t, 2.5 + std::exp(-t), 20 * tolerance);   // and of the model
      }
    }
}

// The diagonal goes through 0, where the pivots of its beginning would divide by nothing.
BOOST_AUTO_TEST_CASE(pivots_that_vanish) {
  for (const std::size_t n : sizes)
    for (const double tolerance : tolerances) {
      const Run r = run(chain(n, "1e-3*(1 - time)"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.25, 0.95, 1.0, 1.05, 2.0}) check_solution(r, n, t, 1e-3 * (1 - t), 1e-11);
    }
}

// What follows the torn unknowns magnifies rounding 10^n times. While nothing is on the right sides, that is not to be seen. The first solution
// after that is one that the check of the equations lets pass, no better.
BOOST_AUTO_TEST_CASE(right_sides_that_come_later) {
  for (const std::size_t n : {10u, 28u, 60u})
    for (const double tolerance : tolerances) {
      std::string text = chain(n, "10");
      text.replace(text.find("sin(time)"), 9, "(if time < 0.5 then 0 else sin(time))");
      const Run r = run(text, 1, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      check_solution(r, n, 0.5, 10, 1e-8);
      for (const double t : {0.75, 1.0}) check_solution(r, n, t, 10, 1e-13);
      BOOST_TEST(r.at("z[1]", 0.25) == 0);
    }
}

// A large right side behind the end of the chain, where following it is stable, and then a small one at its beginning, where it is not: the factors
// stand, and what they were good for says nothing.
BOOST_AUTO_TEST_CASE(right_sides_that_were_large) {
  for (const std::size_t n : {12u, 28u, 60u})
    for (const double tolerance : tolerances) {
      const std::string size = std::to_string(n);
      const Run r = run("model M constant Integer n = " + size + "; Real x(start = 1, fixed = true), z[n], u, h; discrete Real d(start = 0.5, fixed = true); equation "
                        "when time >= 0.1 then d = 10; end when; u = if time < 0.5 then 0 else 1; h = if time < 0.5 then 1e8 else 0; der(x) = z[6] - x; "
                        "d*z[1] - z[2] = u; for i in 2:n-1 loop -z[i-1] + d*z[i] - z[i+1] = u; end for; -z[n-1] + d*z[n] = u + h; end M;", 1, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      std::vector<double> z(n + 2, 0.0);
      for (std::size_t k = 1; k <= n; ++k) z[k] = r.at("z[" + std::to_string(k) + "]", 0.75);
      for (std::size_t k = 1; k <= n; ++k) BOOST_TEST(std::abs(10 * z[k] - z[k - 1] - z[k + 1] - 1) < 1e-9, "z[" << k << "] of " << n);
    }
}

// Every equation has every unknown: N z[i] + sum(z) = x + i.
BOOST_AUTO_TEST_CASE(full_systems) {
  for (const std::size_t n : {40u, 41u, 150u})
    for (const double tolerance : tolerances) {
      const std::string size = std::to_string(n);
      const Run r = run("model M parameter Integer N = " + size + "; Real z[N], x(start = 1, fixed = true); equation der(x) = -x; "
                        "for i in 1:N loop z[i]*N + sum(z) = x + i; end for; end M;", 1, tolerance, 4);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.0, 0.5, 1.0})
        for (const std::size_t i : {std::size_t(1), n / 2, n}) {
          const double x = r.at("x", t), sum = (x + (double(n) + 1) / 2) / 2;
          BOOST_TEST(std::abs(r.at("z[" + std::to_string(i) + "]", t) - (x + double(i) - sum) / double(n)) < 1e-14);
          BOOST_TEST(std::abs(x - std::exp(-t)) < 10 * tolerance);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
