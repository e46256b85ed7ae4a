// inStream where many connectors meet, with flows that change their direction: the mixture of MLS 15.2, worked out here from the
// flows and values that the model is given.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;

namespace {

// What flows out of component k, and what it carries; the last one takes what the others leave over.
double out(int k, int n, double t) {
  if (k < n) return std::sin(1 + k + t) + (k % 3 == 0 ? 0.2*k : 0);
  double sum = 0;
  for (int j = 1; j < n; ++j) sum -= out(j, n, t);
  return sum;
}

double value(int k, double t) { return 10 + k*k + t; }

double mixed(int i, int n, double t) {
  double flow = 0, carried = 0;
  for (int j = 1; j <= n; ++j)
    if (j != i) flow += std::max(out(j, n, t), 0.0), carried += std::max(out(j, n, t), 0.0)*value(j, t);
  return carried/flow;
}

const std::string parts =
    "connector Port Real p; flow Real m; stream Real h; end Port; "
    "model Source Port c; parameter Integer k; Real mixed = inStream(c.h), actual = actualStream(c.h); equation c.m = -(sin(1 + k + time) + (if mod(k, 3) == 0 then 0.2*k else 0)); c.h = 10 + k*k + time; end Source; "
    "model Rest Port c; parameter Integer k; Real mixed = inStream(c.h), actual = actualStream(c.h); equation c.p = 0; c.h = 10 + k*k + time; end Rest; ";

void compare(const Run& r, const std::string& name, int i, int n) {
  for (const double t : {0.0, 0.7, 1.4, 2.0}) {
    BOOST_TEST(std::abs(r.at(name + ".mixed", t) - mixed(i, n, t)) < 1e-9*(20 + n*n), name << " of " << n << " at " << t << ": " << r.at(name + ".mixed", t) << ", not " << mixed(i, n, t));
    const double flow = out(i, n, t);
    if (std::abs(flow) > 1e-6)
      BOOST_TEST(std::abs(r.at(name + ".actual", t) - (flow < 0 ? mixed(i, n, t) : value(i, t))) < 1e-9*(20 + n*n), name << " of " << n << " at " << t);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mixtures)

BOOST_AUTO_TEST_CASE(many_connectors_with_flows_in_both_directions) {
  for (const int n : {9, 10, 20, 200}) {
    const std::string last = std::to_string(n - 1);
    const Run r = run(parts + "model M Source s[" + last + "](k = 1:" + last + "); Rest r(k = " + std::to_string(n) + "); equation for i in 1:" + last + " loop connect(s[i].c, r.c); end for; end M;", 2, 1e-6, 20);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    for (int i = 1; i < n; ++i) compare(r, "s[" + std::to_string(i) + "]", i, n);
    compare(r, "r", n, n);
  }
}

// The same set, half of it inside a component: with the pressure loss of nothing, whoever stands inside or outside is mixed with all.
BOOST_AUTO_TEST_CASE(through_many_outside_connectors) {
  for (const int n : {9, 10, 20, 60}) {
    const int half = n/2;
    const std::string h = std::to_string(half), rest = std::to_string(n - 1);
    const Run r = run(parts + "model Node Port c[" + h + "]; Source s[" + std::to_string(n - 1 - half) + "](k = " + std::to_string(half + 1) + ":" + rest + "); Rest r(k = " + std::to_string(n) + "); equation "
                          "for i in 1:" + h + " loop connect(c[i], r.c); end for; for i in 1:" + std::to_string(n - 1 - half) + " loop connect(s[i].c, r.c); end for; end Node; "
                          "model M Node node; Source a[" + h + "](k = 1:" + h + "); equation connect(a.c, node.c); end M;", 2, 1e-6, 20);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    for (int i = 1; i <= half; ++i) compare(r, "a[" + std::to_string(i) + "]", i, n);
    for (int i = half + 1; i < n; ++i) compare(r, "node.s[" + std::to_string(i - half) + "]", i, n);
    compare(r, "node.r", n, n);
  }
}

BOOST_AUTO_TEST_CASE(without_any_flow_it_is_the_mean_of_the_others) {
  for (const int n : {9, 10, 20, 200}) {
    const std::string last = std::to_string(n - 1);
    const Run r = run("connector Port Real p; flow Real m; stream Real h; end Port; "
                      "model Still Port c; parameter Integer k; Real mixed = inStream(c.h); equation c.m = 0; c.h = k; end Still; model Rest Port c; Real mixed = inStream(c.h); equation c.p = 0; c.h = 7; end Rest; "
                      "model M Still s[" + last + "](k = 1:" + last + "); Rest r; equation for i in 1:" + last + " loop connect(s[i].c, r.c); end for; end M;", 1, 1e-6, 2);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    const double sum = n*(n - 1)/2.0;   // of 1 ... n - 1
    BOOST_TEST(std::abs(r.final("r.mixed") - sum/(n - 1)) < 1e-9*n);
    for (const int i : {1, n/2, n - 1}) BOOST_TEST(std::abs(r.final("s[" + std::to_string(i) + "].mixed") - (sum - i + 7)/(n - 1)) < 1e-9*n);
  }
}

BOOST_AUTO_TEST_SUITE_END()
