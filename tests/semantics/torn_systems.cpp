// Systems of equations that are solved together, by their size and by how their unknowns are coupled, against sweeps of
// scalar equations (Gauss-Seidel, each by bisection): each unknown's own term outweighs the others, so that they converge.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

/// own(x[i]) = t + sum of coefficient * x[other]
struct System {
  std::string own;                            // in terms of @
  std::function<double(double)> value;        // increasing
  std::vector<std::vector<std::pair<int, double>>> others;
};

std::string model_of(const System& s) {
  std::string text = fmt::format("model M Real x[{}]; equation ", s.others.size());
  for (std::size_t i = 0; i < s.others.size(); ++i) {
    std::string left = s.own;
    for (std::size_t at; (at = left.find('@')) != std::string::npos;) left.replace(at, 1, fmt::format("x[{}]", i + 1));
    text += left + " = time";
    for (const auto& [other, coefficient] : s.others[i]) text += fmt::format(" + {:.17g}*x[{}]", coefficient, other + 1);
    text += "; ";
  }
  return text + "end M;";
}

std::vector<double> swept(const System& s, double t) {
  std::vector<double> x(s.others.size(), 0.0);
  for (int sweep = 0; sweep < 400; ++sweep)
    for (std::size_t i = 0; i < x.size(); ++i) {
      double right = t;
      for (const auto& [other, coefficient] : s.others[i]) right += coefficient * x[std::size_t(other)];
      double low = -100, high = 100;
      for (int k = 0; k < 80; ++k) (s.value(0.5 * (low + high)) < right ? low : high) = 0.5 * (low + high);
      x[i] = 0.5 * (low + high);
    }
  return x;
}

void check(const System& s, const std::string& what) {
  const Run r = run(model_of(s), 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), what + ": " + r.diagnostics + r.message());
  for (const double t : {0.5, 1.0}) {
    const std::vector<double> expected = swept(s, t);
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      worst = std::max(worst, std::abs(r.at(fmt::format("x[{}]", i + 1), t) - expected[i]));
    BOOST_TEST(worst < 1e-9, what << ": off by " << worst << " at " << t);
  }
}

const std::string sine = "@ + 0.01*sin(@)", cubic = "@^3 + @", slope = "1.5*@";
double sine_of(double x) { return x + 0.01 * std::sin(x); }
double cubic_of(double x) { return x * x * x + x; }
double slope_of(double x) { return 1.5 * x; }

std::vector<System> each(std::vector<std::vector<std::pair<int, double>>> others) {
  return {{sine, sine_of, others}, {cubic, cubic_of, others}, {slope, slope_of, std::move(others)}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(torn_systems)

// Following the ring from a guess magnifies its error by 10 at every step.
BOOST_AUTO_TEST_CASE(rings) {
  for (const int n : {2, 8, 14, 20, 50, 200}) {
    std::vector<std::vector<std::pair<int, double>>> others;
    for (int i = 0; i < n; ++i) others.push_back({{(i + 1) % n, 0.1}});
    for (const System& s : each(others)) check(s, fmt::format("ring of {}, {}", n, s.own));
  }
}

BOOST_AUTO_TEST_CASE(lines_coupled_both_ways) {
  for (const int n : {5, 10, 40, 200}) {
    std::vector<std::vector<std::pair<int, double>>> others(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      for (const int j : {i - 1, i + 1})
        if (j >= 0 && j < n) others[std::size_t(i)].push_back({j, 0.2});
    for (const System& s : each(others)) check(s, fmt::format("line of {}, {}", n, s.own));
  }
}

BOOST_AUTO_TEST_CASE(grids) {
  for (const int n : {3, 7, 14}) {
    std::vector<std::vector<std::pair<int, double>>> others(static_cast<std::size_t>(n * n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (const auto& [a, b] : {std::pair{i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}})
          if (a >= 0 && a < n && b >= 0 && b < n) others[std::size_t(i * n + j)].push_back({a * n + b, 0.15});
    for (const System& s : each(others)) check(s, fmt::format("grid of {0} x {0}, {1}", n, s.own));
  }
}

BOOST_AUTO_TEST_CASE(at_random) {
  std::mt19937 random(7);
  for (const int n : {12, 60, 200}) {
    std::vector<std::vector<std::pair<int, double>>> others(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) {
        const int j = int(random() % unsigned(n));
        if (j != i) others[std::size_t(i)].push_back({j, 0.01 + 0.25 * double(random() % 1000) / 1000});
      }
    for (const System& s : each(others)) check(s, fmt::format("{} at random, {}", n, s.own));
  }
}

// Newton's corrections shrink by 6/7 only towards a root of order 7.
BOOST_AUTO_TEST_CASE(a_multiple_root) {
  const Run r = run("model M Real x(start = -1), y(start = 2); equation x^7 = 0; (y - 1)^4 = 0; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(std::abs(r.final("x")) < 1e-12);
  BOOST_TEST(std::abs(r.final("y") - 1) < 1e-3);
}

// What would be divided by while following a chain vanishes at 1: all equations together are regular there.
BOOST_AUTO_TEST_CASE(a_coefficient_that_vanishes) {
  const Run r = run(
      "model M Real a, b, c; equation (1 - time)*a + 2*b + 0*c = 1; a + (1 - time)*b + c = 2; b + (1 - time)*c + 3*a = 3; end M;", 2, 1e-6, 4);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  // At 1: b = 1/2, a = 5/6, c = 7/6.
  BOOST_TEST(r.at("a", 1) == 5.0 / 6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.at("b", 1) == 0.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.at("c", 1) == 7.0 / 6, boost::test_tools::tolerance(1e-12));
}

// x + sign(x) = 0 has no solution but 0/0: a quotient of what vanishes within rounding excuses no residual.
BOOST_AUTO_TEST_CASE(a_quotient_of_nothing) {
  for (const char* text : {
           "model M Real a, b, c, u(start = 0, fixed = true); equation der(u) = 1e-12; u = a - b; c = b - u; a + b/abs(a) + c = 0; end M;",
           "model M Real a, b, c, u(start = 0, fixed = true); equation der(u) = 1e-12; u = a - b; c = b - u; a + 2*c/abs(b) + b = 0; end M;"}) {
    const Run r = run(text);
    BOOST_REQUIRE(r.compiled);
    BOOST_TEST(!r.ended());
  }
  // Regularised it has: a = b = 0.
  const Run r = run("model M Real a, b, c, u(start = 0, fixed = true); equation der(u) = 1e-12; u = a - b; c = b - u; a + b/(abs(a) + 1e-9) + c = 0; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  BOOST_TEST(std::abs(r.at("a", 0)) < 1e-15);
}

// y^3 - y has a maximum of 2/sqrt(27) at -1/sqrt(3): the solution from the left ends at 1 + 2/sqrt(27) s, and is told of.
BOOST_AUTO_TEST_CASE(a_solution_that_comes_to_its_end) {
  const Run r = run("model M Real y(start = -1.3), w(start = 0, fixed = true); equation y^3 - y = time - 1; der(w) = y; end M;", 3);
  BOOST_REQUIRE(r.ended());
  bool told = false;
  for (const auto& m : r.result.messages)
    if (m.cause.find("comes to its end here: y goes from") != std::string::npos) {
      told = true;
      BOOST_TEST(std::abs(m.time - (1 + 2/std::sqrt(27.0))) < 0.02);
    }
  BOOST_TEST(told);
  // One that is followed all the way, though steeply, is not.
  const Run steep = run("model M Real y(start = -1), w(start = 0, fixed = true); equation y^3 + 1e-3*y = time - 1; der(w) = y; end M;", 2);
  for (const auto& m : steep.result.messages) BOOST_TEST(m.cause.find("comes to its end") == std::string::npos, m.cause);
}

BOOST_AUTO_TEST_SUITE_END()
