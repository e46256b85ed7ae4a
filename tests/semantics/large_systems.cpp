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
BOOST_AUTO_TEST_CASE(pairs_exchange_quickly) {
  for (const Setting& s : settings)
    check(fmt::format("model M parameter Integer n = {}; Real x[n](each start = 1, each fixed = true), y[n](start = {{i/n for i in 1:n}}, each fixed = true); equation "
                      "for i in 1:n loop der(x[i]) = 1e9*(y[i] - x[i]) - 1e-4*x[i]; der(y[i]) = 1e9*(x[i] - y[i]) - 1e-4*y[i]; end for; end M;", s.n),
          1e4, s, [&](int k, double t) { return (1 + k / double(s.n)) / 2 * std::exp(-1e-4 * t); });
}

BOOST_AUTO_TEST_SUITE_END()
