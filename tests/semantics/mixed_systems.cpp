// Relations inside algebraic loops (E15): ideal diodes and thyristors whose states are found together with the circuit.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr double pi = 3.14159265358979323846;

// An ideal diode as the standard library has it: s is the voltage where it blocks, the current where it conducts.
const std::string diode =
    "model Diode Real v, i, s(start = 0); Boolean off(start = true); parameter Real Ron = 1e-5, Goff = 1e-5; equation off = s < 0; "
    "v = s*(if off then 1 else Ron); i = s*(if off then Goff else 1); end Diode; ";

// A source of 100 V over a switch and a transformer of 10:1 into a bridge of four diodes, with a capacitor and a load.
const std::string bridge = diode +
    "model M Diode d1, d2, d3, d4; Real vs, v2, i1, i2, vc(start = 0, fixed = true), sw; Boolean closed = time >= 0.0025; "
    "parameter Real C = 1e-3, R = 100, w = 100*3.14159265358979323846; equation vs = 100*sin(w*time); "
    "vs - 10*v2 = sw*(if closed then 1e-5 else 1); i1 = sw*(if closed then 1 else 1e-5); 10*i1 = i2; "
    "i2 = d1.i - d2.i; d1.i + d3.i = C*der(vc) + vc/R; d2.i + d4.i = C*der(vc) + vc/R; "
    "d1.v - d3.v = v2; d2.v + d1.v = -vc; d3.v + d4.v = -vc; end M;";

/// The capacitor's voltage with switches that lose nothing: it follows |source|/10 while that can charge it.
double ideal(double t) {
  const double w = 100 * pi, RC = 0.1;
  // It leaves the source where the load's current is all that the capacitor gives: w*cos(x) + sin(x)/RC = 0.
  const double leaves = pi - std::atan(w * RC);
  double x0 = leaves;
  for (double half = 0;; half += pi) {
    if (w * t < half + leaves) {
      const double rising = 10 * std::abs(std::sin(w * t));
      if (half == 0) return rising;
      const double falling = 10 * std::sin(x0) * std::exp(-(w * t - (half - pi + x0)) / (w * RC));
      return w * t < half ? falling : std::max(rising, falling);
    }
    x0 = leaves;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mixed_systems)

BOOST_AUTO_TEST_CASE(a_bridge_behind_a_transformer) {
  for (const double tolerance : {1e-3, 1e-4, 1e-6, 1e-8}) {
    const Run r = run(bridge, 0.1, tolerance, 1000);
    BOOST_REQUIRE_MESSAGE(r.ended(), fmt::format("{}: ", tolerance) + r.diagnostics + r.message());
    for (const double t : {0.004, 0.008, 0.012, 0.0153, 0.03, 0.0475, 0.0777, 0.0996})
      BOOST_TEST(std::abs(r.at("vc", t) - ideal(t)) < 0.01 + 20 * tolerance, fmt::format("{} at {}, tolerance {}", r.at("vc", t), t, tolerance));
    // No diode blocks a voltage the other way round, none carries a current backwards.
    for (const double t : {0.004, 0.012, 0.03, 0.0777})
      for (const char* name : {"d1", "d2", "d3", "d4"}) {
        const double v = r.at(fmt::format("{}.v", name), t), i = r.at(fmt::format("{}.i", name), t);
        BOOST_TEST(v < 1e-3);
        BOOST_TEST(i > -2e-4);
      }
  }
}

// Three phases, six diodes, a resistor: the output is the highest phase minus the lowest.
BOOST_AUTO_TEST_CASE(a_bridge_of_six) {
  const std::string model = diode +
      "model M Diode p[3], n[3]; Real v[3], i[3], vp, vn, star; parameter Real R = 10; equation "
      "for k in 1:3 loop v[k] = 100*sin(2*3.14159265358979323846*(50*time - (k - 1)/3)); i[k] = p[k].i - n[k].i; "
      "p[k].v = v[k] + star - vp; n[k].v = vn - v[k] - star; end for; "
      "sum(i) = 0; sum(p.i) = (vp - vn)/R; vn + vp = 0; end M;";
  for (const double tolerance : {1e-3, 1e-8}) {
    const Run r = run(model, 0.04, tolerance, 400);
    BOOST_REQUIRE_MESSAGE(r.ended(), fmt::format("{}: ", tolerance) + r.diagnostics + r.message());
    for (int k = 1; k < 400; k += 7) {
      const double t = 0.04 * k / 400;
      double high = -1e9, low = 1e9;
      for (int phase = 0; phase < 3; ++phase) {
        const double v = 100 * std::sin(2 * pi * (50 * t - phase / 3.0));
        high = std::max(high, v), low = std::min(low, v);
      }
      BOOST_TEST(std::abs(r.at("vp", t) - r.at("vn", t) - (high - low)) < 0.02);
    }
  }
}

// Both diodes of a branch in series are the same: they change together, at any tolerance, and rounding must not matter.
BOOST_AUTO_TEST_CASE(diodes_in_series) {
  const Run r = run(diode + "model M Diode d[4]; Real i; equation for k in 1:4 loop d[k].i = i; end for; sum(d.v) + 2*i = 10*sin(6*time); end M;", 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  for (int k = 1; k < 100; ++k) {
    const double t = 10 * k / 100.0, v = 10 * std::sin(6 * t);
    BOOST_TEST(std::abs(r.at("i", t) - (v > 0 ? v / (2 + 4e-5) : v / (2 + 4e5))) < 1e-6);
  }
}

// A row of limiters, each of which feeds the next and the first: y = limit(u + 0.5*y_before).
BOOST_AUTO_TEST_CASE(limiters_in_a_ring) {
  const Run r = run(
      "model M Real y[6], u[6]; equation for k in 1:6 loop u[k] = 3*sin(time + k) - 0.7*y[if k == 1 then 6 else k - 1]; "
      "y[k] = if u[k] > 1 then 1 else if u[k] < -1 then -1 else u[k]; end for; end M;", 6);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  for (const double t : {0.6, 1.8, 3.0, 5.4}) {
    double y[6] = {};
    for (int sweep = 0; sweep < 2000; ++sweep)
      for (int k = 0; k < 6; ++k) y[k] = std::clamp(3 * std::sin(t + k + 1) - 0.7 * y[(k + 5) % 6], -1.0, 1.0);
    for (int k = 0; k < 6; ++k) BOOST_TEST(std::abs(r.at(fmt::format("y[{}]", k + 1), t) - y[k]) < 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(no_choice_agrees) {
  const Run r = run("model M Real y; equation y = time - (if y > 0.5 then 1 else 0); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(std::abs(r.result.messages.back().time - 0.5) < 1e-9, r.result.messages.back().time);   // no band hides it for a while
  BOOST_TEST(r.message().find("y > 0.5") != std::string::npos);
  BOOST_TEST(r.message().find("no choice of") != std::string::npos);
}

// A friction that breaks loose above 1.5 and slides with 1 is gone below 1.5 as soon as it slides: within one round nothing agrees. It goes on
// as pre() follows, and slides from t = 1.5 on, as J w' = t - 1.
BOOST_AUTO_TEST_CASE(what_breaks_loose_contradicts_itself_for_one_round) {
  for (const double inertia : {4.0, 10.0, 40.0})
    for (const double accuracy : {1e-4, 1e-6, 1e-8}) {
      const Run r = run(
          fmt::format("model M Real w(start = 0, fixed = true), s, a, tau; Boolean slides(start = false, fixed = true); equation "
                      "slides = s > 1.5 or pre(slides) and s > 1; a = if slides then s - 1 else 0; tau = if slides then 1 else s; {}*a = time - tau; der(w) = a; end M;", inertia),
          3, accuracy, 100);
      BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
      BOOST_TEST(std::abs(r.final("w") - (4 - 0.25)/2/inertia) < accuracy);
      BOOST_TEST(std::abs(r.at("a", 1.41)) < 1e-12);
      BOOST_TEST(std::abs(r.at("a", 2.1) - 1.1/inertia) < 1e-9);
      BOOST_TEST(r.message().find("contradict each other at first") != std::string::npos, r.message());
    }
}

// Two dry frictions stop one body together: both could hold it, and nothing would say with which force each. One of them does, so that
// everything is determined. Both let go where 6 exceeds 1 + 2.
BOOST_AUTO_TEST_CASE(of_two_that_could_hold_one_does) {
  const Run r = run(
      "package P block Friction input Real w, a; output Real f; parameter Real most; Real s; Boolean forward, backward, held; Integer mode(start = 1, fixed = true); "
      "equation forward = pre(mode) == 0 and s > most; backward = pre(mode) == 0 and s < -most; held = pre(mode) == 0 and not (forward or backward); "
      "a = if held then 0 elseif forward or not backward and pre(mode) == 1 then s - most else s + most; "
      "f = if held then s elseif forward or not backward and pre(mode) == 1 then most else -most; "
      "mode = if (pre(mode) == 1 or forward) and w > 0 then 1 elseif (pre(mode) == -1 or backward) and w < 0 then -1 else 0; end Friction; "
      "model M Real w(start = 2, fixed = true), a, u = if time < 2 then 0 else 6; Friction one(most = 1, w = w, a = a), two(most = 2, w = w, a = a); "
      "equation der(w) = a; a = u - one.f - two.f; end M; end P; model N extends P.M; end N;", 3, 1e-8, 300);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.at("w", 0.5) == 0.5, boost::test_tools::tolerance(1e-7));   // 2 - 3 t
  for (const double t : {0.7, 1.3, 1.9}) {
    BOOST_TEST(std::abs(r.at("w", t)) < 1e-9);
    BOOST_TEST(r.at("a", t) == 0);
    BOOST_TEST(std::abs(r.at("one.f", t) + r.at("two.f", t)) < 1e-9);
  }
  BOOST_TEST(r.final("w") == 3, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(r.message() == "");
}

// With the choice that holds at the start value the solution is far away, where the other choice has no value at all. That one begins where
// the first one did.
BOOST_AUTO_TEST_CASE(a_choice_begins_at_the_start_value) {
  const Run r = run("model M Real x(start = 0, fixed = true), y(start = 3); equation der(x) = 1; 0 = if y < 2 then sqrt(y)*sqrt(10 - y) - 1 else 1e-9*(y + 4e11); end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("y") - (5 - std::sqrt(24.0))) < 1e-9, r.final("y"));   // y*(10 - y) = 1
}

BOOST_AUTO_TEST_SUITE_END()
