// The search for crossings within a step: which one is found, and after how many looks.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "runtime/search.hpp"

using namespace mosim::runtime;

namespace {

const double pi = std::acos(-1.0);

/// Searches f on 0 ... 1 in steps. Counts the looks.
struct Case {
  std::function<double(double)> f;
  int steps = 10;
  int looks = 0;
  double distance = 1;

  std::optional<double> first() {
    Search search;
    search.distance = distance;
    start_search(search, 0, {f(0)});
    for (int k = 1; k <= steps; ++k)
      if (const auto time = find_crossing(search, double(k) / steps, [&](double t, std::vector<double>& v) { ++looks, v[0] = f(t); })) return time;
    return {};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(search)

BOOST_AUTO_TEST_CASE(a_change_of_sign) {
  for (const double root : {0.05, 1/3.0, 0.7, 0.999}) {
    Case c{[=](double t) { return std::exp(root) - std::exp(t); }};
    const auto time = c.first();
    BOOST_REQUIRE(time);
    BOOST_TEST(std::abs(*time - root) < 1e-13);
    BOOST_TEST(c.f(*time) < 0);   // just right of it
    BOOST_TEST(c.looks < 2*10 + 15);
  }
  // Where false position is slow: a root of order nine.
  Case flat{[](double t) { return -std::pow(t - 0.55, 9); }};
  const auto time = flat.first();
  BOOST_REQUIRE(time);
  BOOST_TEST(std::abs(*time - 0.55) < 1e-12);
  BOOST_TEST(flat.looks < 160);
}

BOOST_AUTO_TEST_CASE(a_dip_between_two_looks) {
  for (const double depth : {1e-2, 1e-4, 1e-8, 1e-12}) {
    Case c{[=](double t) { return std::pow(t - 0.4321, 2) - depth; }};
    const auto time = c.first();
    BOOST_REQUIRE_MESSAGE(time, depth);
    BOOST_TEST(std::abs(*time - (0.4321 - std::sqrt(depth))) < 1e-9);
    BOOST_TEST(c.looks < 100);
  }
  // It touches 0 and does not cross, or stays away.
  Case touches{[](double t) { return std::pow(t - 0.4321, 2); }};
  BOOST_TEST(!touches.first());
  BOOST_TEST(touches.looks < 200);
  Case away{[](double t) { return std::pow(t - 0.4321, 2) + 1e-3; }};
  BOOST_TEST(!away.first());
  BOOST_TEST(away.looks < 40);
}

BOOST_AUTO_TEST_CASE(what_a_step_resolves_costs_few_looks) {
  // One in a step that is short beside the distance of looks, else two.
  for (const double distance : {1.0, 0.04}) {
    const int each = distance == 1.0 ? 1 : 2;
    Case far{[](double t) { return 2 + std::sin(5*t); }, 50, 0, distance};
    BOOST_TEST(!far.first());
    BOOST_TEST(far.looks < each*50 + 10);
    Case grows{[](double t) { return t*(3 - t); }, 50, 0, distance};   // from 0 on
    BOOST_TEST(!grows.first());
    BOOST_TEST(grows.looks < each*50 + 10);
  }
}

BOOST_AUTO_TEST_CASE(what_a_step_does_not_resolve) {
  // Thirty periods in a step, negative for 1 % of each.
  Case fast{[](double t) { return std::cos(pi*0.01) + std::cos(600*pi*t); }, 10, 0, 0.02};
  const auto time = fast.first();
  BOOST_REQUIRE(time);
  BOOST_TEST(std::abs(*time - 0.99/600) < 1e-9);
  // The steps keep time with it.
  Case in_step{[](double t) { return std::cos(pi*0.01) - std::cos(20*pi*(t + 0.01)); }, 10, 0, 0.02};
  BOOST_REQUIRE(in_step.first());
  BOOST_TEST(std::abs(*in_step.first() - 0.0895) < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_first_of_several) {
  Case cubic{[](double t) { return -(t - 0.41)*(t - 0.4101)*(t - 0.49); }};
  BOOST_REQUIRE(cubic.first());
  BOOST_TEST(std::abs(*cubic.first() - 0.41) < 1e-10);
  // Of two functions, and where nothing can be said of one for a while.
  Search search;
  start_search(search, 0, {1, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto time = find_crossing(search, 1, [&](double t, std::vector<double>& v) { v = {0.8 - t, t < 0.5 ? nan : 0.6 - t}; });
  BOOST_REQUIRE(time);
  BOOST_TEST(std::abs(*time - 0.6) < 1e-13);
}

// What is iterated to differs within its rounding each time it is asked for: the crossing is found all the same, and nothing behind it.
BOOST_AUTO_TEST_CASE(values_that_are_not_the_same_twice) {
  for (int k = 0; k < 20; ++k) {
    Search search;
    const double root = 0.3 + 0.02 * k;
    std::map<double, int> asked;
    const Evaluate evaluate = [&](double time, std::vector<double>& values) {
      values.assign(1, root - time + (asked[time]++ > 0 ? 2e-12 : -2e-12));
    };
    start_search(search, 0, {root});
    const auto found = find_crossing(search, 1, evaluate);
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(std::abs(*found - root) < 1e-11);
  }
}

BOOST_AUTO_TEST_SUITE_END()
