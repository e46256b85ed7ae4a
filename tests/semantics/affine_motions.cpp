// Motions that are affine in their states between events go by x' = A x + b + c t: at three sizes and three tolerances they are the closed forms, whichever
// method goes on; with bdf a Jacobian lasts until the next event, or until a state has outgrown what it was found for. Motions that nearly are affine are
// what they are.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "support.hpp"

using namespace mosim::tests;

namespace {

const std::vector<std::size_t> sizes{4, 60, 200};
const std::vector<double> tolerances{1e-4, 1e-6, 1e-9};

// x' = -z with n unknowns z in a loop, all of them u/(d - 2).
std::string chain(std::size_t n, const std::string& d, const std::string& u) {
  return fmt::format("model M constant Integer n = {}; Real x(start = 1, fixed = true), u = {}, d = {}, z[n]; equation "
                     "(d - 1)*z[1] - z[2] = u; for i in 2:n - 1 loop -z[i - 1] + d*z[i] - z[i + 1] = u; end for; -z[n - 1] + (d - 1)*z[n] = u; der(x) = -z[n]; end M;",
                     n, u, d);
}

using mosim::runtime::Solver;

void check_jacobians(const Run& r, std::uint64_t least, std::uint64_t most) {
  if (solver() != Solver::bdf) return;
  BOOST_TEST(r.result.statistics.jacobians >= least);
  BOOST_TEST(r.result.statistics.jacobians <= most);
}

void check(const Run& r, const char* name, double t, double exact, double tolerance, std::size_t n) {
  BOOST_TEST(std::abs(r.at(name, t) - exact) < 5 * tolerance * std::max(1.0, std::abs(exact)), fmt::format("{} of {} at tolerance {}: {}, and is {}", name, n, tolerance, r.at(name, t), exact));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(affine_motions)

BOOST_AUTO_TEST_CASE(a_loop_that_jumps) {
  for (const std::size_t n : sizes)
    for (const double tolerance : tolerances) {
      const Run r = run(chain(n, "if time < 0.5 then 3 else if x < 0.4 then 7 else 2.5", "x"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      const double half = std::exp(-0.5), crossing = 0.5 + std::log(half / 0.4) / 2;
      for (const double t : {0.25, 0.5}) check(r, "x", t, std::exp(-t), tolerance, n);
      check(r, "x", 0.65, half * std::exp(-0.15 * 2), tolerance, n);
      check(r, "z[1]", 0.65, half * std::exp(-0.15 * 2) * 2, tolerance, n);
      check(r, "x", 2, 0.4 * std::exp(-(2 - crossing) / 5), tolerance, n);
      BOOST_TEST(r.events() == 2u);
      check_jacobians(r, 3, 3);
    }
}

BOOST_AUTO_TEST_CASE(by_every_method) {
  const Solver before = solver();
  for (const Solver method : {Solver::bdf, Solver::adams, Solver::esdirk, Solver::erk, Solver::automatic})
    for (const std::size_t n : {4, 60})
      for (const double tolerance : tolerances) {
        solver() = method;
        const Run r = run(chain(n, "if sample(0.01, 0.01) then 3 else if time < 1 then 4 else 2.5", "x + time"), 2, tolerance, 40);
        solver() = before;
        BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
        // x' = -k (x + t): x = 1/k - t and what decays from there.
        const auto go = [](double k, double from, double x, double to) { return 1/k - to + (x - 1/k + from) * std::exp(-k * (to - from)); };
        const double one = go(0.5, 0, 1, 1);
        check(r, "x", 0.5, go(0.5, 0, 1, 0.5), 4 * tolerance, n);
        check(r, "x", 2, go(2, 1, one, 2), 4 * tolerance, n);
      }
}

// x' = -x - 1 - 3*t, from 1: a straight line, and what decays onto it.
BOOST_AUTO_TEST_CASE(what_drives_it_is_affine_in_time) {
  for (const std::size_t n : sizes)
    for (const double tolerance : tolerances) {
      const Run r = run(chain(n, "3", "x + 1 + 3*time"), 3, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.3, 1.5, 3.0}) {
        check(r, "x", t, 2 - 3*t - std::exp(-t), tolerance, n);
        check(r, "z[2]", t, 3 - std::exp(-t), tolerance, n);
      }
      check_jacobians(r, 1, 5);   // x grows to 7
    }
}

// What starts from 0, where any factor of it would be right; torn, the loop magnifies rounding by 6.9 from one unknown to the next.
BOOST_AUTO_TEST_CASE(what_is_zero_at_first) {
  for (const std::size_t n : {4, 20, 25, 60, 200})
    for (const double tolerance : tolerances) {
      const Run r = run(fmt::format("model M constant Integer n = {}; Real y(start = 0, fixed = true), u(start = 0, fixed = true), x(start = 0, fixed = true), z[n], d = 7; equation "
                                    "(d - 1)*z[1] - z[2] = u; for i in 2:n - 1 loop -z[i - 1] + d*z[i] - z[i + 1] = u; end for; -z[n - 1] + (d - 1)*z[n] = u; "
                                    "der(y) = 1; der(u) = y; der(x) = -z[n]; end M;", n), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.5, 1.0, 2.0}) check(r, "x", t, -t * t * t / 30, tolerance, n);
    }
}

// Charge that runs between capacitors behind a millionth of an ohm: none of it is lost, whatever happens to the digits of what differs by 1e14. And it takes
// about as many steps as behind a thousand ohms.
BOOST_AUTO_TEST_CASE(what_is_conserved) {
  for (const std::size_t n : {2, 4, 12})
    for (const double stop : {1.0, 100.0})
      for (const double tolerance : tolerances) {
        const auto network = [&](const char* ohms) { return run(fmt::format("model M constant Integer n = {}; parameter Real C[n] = {{(1 + mod(k, 3))*1e-9 for k in 1:n}}, R[n] = {{(1 + mod(k, 4))*{} for k in 1:n}}; Real v[n](start = {{k for k in 1:n}}, each fixed = true), i[n], w; "
                                      "equation for k in 1:n loop v[k] - w = R[k]*i[k]; C[k]*der(v[k]) = -i[k]; end for; sum(i) = 0; end M;", n, ohms), stop, tolerance, 40); };
        const Run r = network("1e-5"), slower = network("1e3");
        BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
        double charge = 0, capacity = 0;
        for (std::size_t k = 1; k <= n; ++k) charge += double((1 + k % 3) * k), capacity += double(1 + k % 3);
        for (const char* name : {"v[1]", "v[2]"}) BOOST_TEST(std::abs(r.final(name) - charge / capacity) < 1e-11, fmt::format("{} of {} at tolerance {}: {}", name, n, tolerance, r.final(name)));
        BOOST_REQUIRE(slower.ended());
        BOOST_TEST(r.result.statistics.steps < 3 * slower.result.statistics.steps, r.result.statistics.steps << " and " << slower.result.statistics.steps << " for " << n << " at " << tolerance);
      }
}

// Far from 0: what is found there must not show.
BOOST_AUTO_TEST_CASE(small_beside_where_it_began) {
  for (const double tolerance : tolerances) {
    const Run r = run("model M Real x(start = 1e12, fixed = true, nominal = 1e-6), a, b; equation a + 2*b = x; a - b = 0.25*x; der(x) = -40*(a - b)*(if time > 2 then 0 else 1); end M;", 3, tolerance, 60);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(std::abs(r.at("x", 1) / (1e12 * std::exp(-10)) - 1) < 20 * tolerance, r.at("x", 1));
    BOOST_TEST(std::abs(r.at("x", 2) / (1e12 * std::exp(-20)) - 1) < 40 * tolerance, r.at("x", 2));
    BOOST_TEST(r.final("x") == r.at("x", 2));
    check_jacobians(r, 2, 2);
  }
}

// A matrix that moves with time, with a state, or without an event; a square; a limit: the closed forms all the same, with more than one Jacobian.
BOOST_AUTO_TEST_CASE(what_is_not_affine) {
  for (const std::size_t n : sizes)
    for (const double tolerance : tolerances) {
      Run r = run(chain(n, "3 + time", "x"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.5, 2.0}) check(r, "x", t, 1 / (1 + t), tolerance, n);
      check_jacobians(r, 2, 1000);
      r = run(chain(n, "2 + 1/x", "x"), 0.9, tolerance, 40);   // x' = -x^2
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.45, 0.9}) check(r, "x", t, 1 / (1 + t), tolerance, n);
      check_jacobians(r, 2, 1000);
      r = run(chain(n, "3", "x*abs(x)"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.5, 2.0}) check(r, "x", t, 1 / (1 + t), tolerance, n);
      r = run(chain(n, "3", "sin(time)"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (const double t : {0.5, 2.0}) check(r, "x", t, std::cos(t), tolerance, n);
      check_jacobians(r, 2, 1000);
      r = run(chain(n, "3", "max(x, 0.5)"), 2, tolerance, 40);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      const double bend = std::log(2.0);
      check(r, "x", 0.5, std::exp(-0.5), tolerance, n);
      check(r, "x", 2, 0.5 - 0.5 * (2 - bend), 4 * tolerance, n);
    }
}

BOOST_AUTO_TEST_SUITE_END()
