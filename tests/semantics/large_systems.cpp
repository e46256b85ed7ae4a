// Systems of more states than SUNDIALS' own dense solver takes, full and sparse, beside their closed forms: the vectors and linear solvers that
// the steps are made of. Three sizes and three tolerances each.

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fmt/format.h>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(large_systems)

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double near = 5;   // times the tolerance

struct Setting { int n; double tolerance; };
const std::vector<Setting> settings = [] {
  std::vector<Setting> all;
  for (const int n : {41, 80, 160})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) all.push_back({n, tolerance});
  return all;
}();

template <class Exact>
void check(const std::string& text, double stop, const Setting& s, Exact exact) {   // exact(k, t) of x[k]
  const Run r = run(text, stop, s.tolerance, 4);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const double t : {stop / 4, stop / 2, stop})
    for (int k = 1; k <= s.n; ++k) {
      const double found = r.at(fmt::format("x[{}]", k), t), expected = exact(k, t);
      BOOST_TEST_REQUIRE(std::abs(found - expected) <= near * s.tolerance * (1 + std::abs(expected)),
                         "n = " << s.n << ", tolerance " << s.tolerance << ": x[" << k << "] = " << found << " at " << t << ", not " << expected);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_depends_on_all) {
  for (const Setting& s : settings)
    check(fmt::format("model M parameter Integer n = {}; Real x[n](start = {{mod(7*i, 11)/10 for i in 1:n}}, each fixed = true); equation "
                      "for i in 1:n loop der(x[i]) = -x[i] - 300*sum(x)/n; end for; end M;", s.n),
          0.5, s, [&](int k, double t) {
            double mean = 0;
            for (int i = 1; i <= s.n; ++i) mean += 7 * i % 11 / 10.0 / s.n;
            return mean * std::exp(-301 * t) + (7 * k % 11 / 10.0 - mean) * std::exp(-t);
          });
}

BOOST_AUTO_TEST_CASE(each_depends_on_its_neighbours) {
  for (const Setting& s : settings)
    check(fmt::format("model M parameter Integer n = {}; Real x[n](start = {{sin({}*i/(n + 1)) for i in 1:n}}, each fixed = true); equation "
                      "for i in 1:n loop der(x[i]) = (n + 1)^2*((if i > 1 then x[max(i - 1, 1)] else 0) - 2*x[i] + (if i < n then x[min(i + 1, n)] else 0)); end for; end M;", s.n, pi),
          0.1, s, [&](int k, double t) {
            const double half = std::sin(pi / (2 * (s.n + 1)));
            return std::sin(pi * k / (s.n + 1)) * std::exp(-4.0 * (s.n + 1) * (s.n + 1) * half * half * t);
          });
}

// What two states exchange a billion times as fast as anything else happens: I - h J has pivots that are far smaller than the rest of their rows, and
// is regular. Sums of pairs decay as slowly as they should, and neither of a pair leaves the other.
// Numbers are worked out and terms dropped in each equation of a loop, more of them than are looked at together.
BOOST_AUTO_TEST_CASE(terms_vanish_in_a_loop) {
  for (const int n : {100, 1500, 6000})
    for (const double tolerance : {1e-4, 1e-6, 1e-8})
      check(fmt::format("model M parameter Integer n = {}; parameter Real off = 0; Real x[n](each start = 1, each fixed = true), y[n]; equation "
                        "for i in 1:n loop der(x[i]) = -i/n*x[i] + off*y[i]; y[i] = 2*x[i] + off*der(x[i]); end for; end M;", n),
            1, {n, tolerance}, [&](int k, double t) { return std::exp(-double(k) / n * t); });
}

BOOST_AUTO_TEST_CASE(pairs_exchange_quickly) {
  for (const Setting& s : settings)
    check(fmt::format("model M parameter Integer n = {}; Real x[n](each start = 1, each fixed = true), y[n](start = {{i/n for i in 1:n}}, each fixed = true); equation "
                      "for i in 1:n loop der(x[i]) = 1e9*(y[i] - x[i]) - 1e-4*x[i]; der(y[i]) = 1e9*(x[i] - y[i]) - 1e-4*y[i]; end for; end M;", s.n),
          1e4, s, [&](int k, double t) { return (1 + k / double(s.n)) / 2 * std::exp(-1e-4 * t); });
}

namespace {

/// Masses that are tied to a massless line of springs between two walls (the network of ScalableTestSuite): a chain of loops gives the nodes, each of
/// which depends on all masses, the less the farther away. Standing waves, the first and one of a third of the length.
struct Network {
  int n;
  double wave(int mode, int k) const { return std::sin(mode * pi * k / (n + 1)); }
  double frequency(int mode) const {
    const double rest = 2 * (1 - std::cos(mode * pi / (n + 1)));
    return std::sqrt(10 * rest / (1 + rest));
  }
  int second() const { return n / 3; }
  double exact(int k, double t) const { return wave(1, k) * std::cos(frequency(1) * t) + 0.1 * wave(second(), k) * std::cos(frequency(second()) * t); }
  std::string text() const {
    return fmt::format("model M constant Integer N = {0}; constant Real w = 3.14159265358979323846/(N + 1); Real x[N](start = {{sin(w*i) + 0.1*sin({1}*w*i) for i in 1:N}}, each fixed = true), "
                       "v[N](each start = 0, each fixed = true), s[N]; equation for i in 1:N loop der(x[i]) = v[i]; der(v[i]) = 10*(s[i] - x[i]); "
                       "s[i] - x[i] + (s[i] - (if i > 1 then s[max(i - 1, 1)] else 0)) + (s[i] - (if i < N then s[min(i + 1, N)] else 0)) = 0; end for; end M;", n, second());
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_network_of_springs) {
  for (const Setting& s : settings) {
    const Network network{s.n};
    check(network.text(), 2, s, [&](int k, double t) { return network.exact(k, t); });
  }
}

// Nominal values that are off by many orders of magnitude, beside the same states with a band of a matrix: as many evaluations.
BOOST_AUTO_TEST_CASE(a_chain_of_loops_in_units_that_are_off) {
  const auto text = [](int n, bool chain) {
    return fmt::format("model M constant Integer n = {0}; Real p[n](each start = 0, each fixed = true), q[n](start = {{if i == 1 then 1e-5 else 0 for i in 1:n}}, each fixed = true), u[n]; equation "
                       "for i in 1:n loop der(p[i]) = 1e12*q[i] - 1e2*p[i]; der(q[i]) = -1e-7*p[i] - 10*q[i] + 1e-12*u[i]; {1} end for; end M;", n,
                       chain ? "4*u[i] = p[i] + (if i > 1 then u[max(i - 1, 1)] else 0) + (if i < n then u[min(i + 1, n)] else 0);" : "4*u[i] = p[i];");
  };
  for (const double tolerance : {1e-4, 1e-6, 1e-8})
    for (const int n : {45, 60, 90}) {
      const Run chain = run(text(n, true), 10, tolerance, 4), band = run(text(n, false), 10, tolerance, 4);
      BOOST_REQUIRE_MESSAGE(chain.ended() && band.ended(), chain.message() + band.message());
      BOOST_TEST(chain.result.statistics.evaluations < 1.5 * double(band.result.statistics.evaluations), "n = " << n << ", tolerance " << tolerance);
      BOOST_TEST(chain.result.statistics.jacobians < 3 * band.result.statistics.jacobians, "n = " << n << ", tolerance " << tolerance);
    }
}

// A Jacobian that costs what many steps do serves for more of them: derivatives of all states each, beside those with one of their own each.
BOOST_AUTO_TEST_CASE(a_costly_jacobian_is_kept_while_the_corrector_converges) {
  const auto states = [](int n, const char* mean) {
    return fmt::format("model M constant Integer n = {}; Real x[n](each start = 1, each fixed = true), s; equation s = sum(x)/n; "
                       "for i in 1:n loop der(x[i]) = -i*x[i]*(1 + {}^2) + sin(20*time); end for; end M;", n, mean);
  };
  const auto steps_of_one = [](const Run& r) { return double(r.result.statistics.steps) / double(r.result.statistics.jacobians); };
  for (const int n : {250, 300, 400}) {
    const Run nearer = run(states(n, "s"), 3, 1e-10, 4);
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Run full = run(states(n, "s"), 3, tolerance, 4), own = run(states(n, "x[i]"), 3, tolerance, 4);
      BOOST_REQUIRE_MESSAGE(full.ended() && own.ended() && nearer.ended(), full.message() + own.message() + nearer.message());
      BOOST_TEST(steps_of_one(full) > 1.3 * steps_of_one(own), n << " at " << tolerance << ": " << steps_of_one(full) << ", own " << steps_of_one(own));   // CVODE's usual ones are 51
      for (const std::string x : {"x[1]", "x[17]", "x[250]"}) BOOST_TEST(std::abs(full.final(x) - nearer.final(x)) < near*tolerance, x << ", " << n << " at " << tolerance);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
