// A branch that is lost, a jump without events and one with them, each at three tolerances against its closed form: the error goes
// with the tolerance.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr double tolerances[] = {1e-4, 1e-6, 1e-9};

// The root of an increasing function.
template <class F>
double root(F f, double low, double high) {
  for (int k = 0; k < 200; ++k) (f(0.5*(low + high)) < 0 ? low : high) = 0.5*(low + high);
  return low;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(three_tolerances)

// y and its velocity are the states whatever happens: x = cos(2t) is the root on one branch, which ends at pi/4.
BOOST_AUTO_TEST_CASE(a_branch_that_is_lost) {
  for (const double accuracy : tolerances) {
    const Run r = run("model M Real x(start = 1), y(stateSelect = StateSelect.always, start = 0, fixed = true), u, v(stateSelect = StateSelect.always, start = 2, fixed = true), F; "
                      "equation x*x + y*y = 1; der(x) = u; der(y) = v; der(u) = -x*F; der(v) = -y*F; end M;", 6, accuracy);
    BOOST_TEST_CONTEXT(accuracy) {
      BOOST_TEST(!r.ended());
      BOOST_TEST(r.message() != "");
      BOOST_TEST(std::abs(r.result.time - std::acos(-1.0)/4) < 0.05);
      for (const double t : {0.12, 0.36, 0.6}) {
        BOOST_TEST(std::abs(r.at("x", t) - std::cos(2*t)) < 20*accuracy);
        BOOST_TEST(std::abs(r.at("y", t) - std::sin(2*t)) < 20*accuracy);
      }
      // No row beyond the end of the branch, where x would be the wrong root.
      BOOST_TEST(r.final("x") > -0.1);
    }
  }
}

// A branch that is not lost, since the states are chosen during the run.
BOOST_AUTO_TEST_CASE(a_branch_that_is_kept) {
  for (const double accuracy : tolerances) {
    const Run r = run("model M Real x(start = 1, fixed = true), y, u, v(start = 2, fixed = true), F; "
                      "equation x*x + y*y = 1; der(x) = u; der(y) = v; der(u) = -x*F; der(v) = -y*F; end M;", 3, accuracy);
    BOOST_TEST_CONTEXT(accuracy) {
      BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
      for (int k = 0; k <= 500; k += 20) {
        const double t = 3.0*k/500;
        BOOST_TEST(std::abs(r.at("x", t) - std::cos(2*t)) < 50*accuracy);
        BOOST_TEST(std::abs(r.at("y", t) - std::sin(2*t)) < 50*accuracy);
      }
    }
  }
}

// Friction without events: at rest until 4*sin(t) is more than 3, from a = asin(3/4) on v = 4*(cos(a) - cos(t)) - 3*(t - a).
// A chain of n capacitors, each behind a transformer of its own ratio, closed to a ring: k[i]*(p[i] - p[i+1]) is the voltage of each, so that
// v[1]/k[1] + ... + v[n]/k[n] = 0 is hidden behind parameters. By its capacity 1/k^2 each looks alike from the corners, which all have a
// conductance of 1 to the ground: a wave along the ring decays like exp(-t/c), with c = 4*sin(pi/n)^2 for the longest.
BOOST_AUTO_TEST_CASE(a_ring_behind_transformers) {
  const double pi = std::acos(-1.0);
  for (const int n : {3, 8, 40})
    for (const double accuracy : tolerances) {
      const Run r = run("model M constant Integer n = " + std::to_string(n) + "; constant Real pi = Modelica.Constants.pi; parameter Real k[n] = {1 + mod(i, 3) for i in 1:n}; "
                        "Real v[n](start = {k[i]*(cos(2*pi*i/n) - cos(2*pi*(i + 1)/n)) for i in 1:n}, fixed = {i < n for i in 1:n}), a[n], p[n]; equation "
                        "for i in 1:n loop v[i] = k[i]*(p[i] - p[mod(i, n) + 1]); a[i] = der(v[i])/k[i]; "
                        "a[i] - a[mod(i - 2, n) + 1] + p[i] = 0; end for; end M;", 1, accuracy, 500,
                        "package Modelica package Constants constant Real pi = 3.14159265358979323846; end Constants; end Modelica;");
      BOOST_TEST_CONTEXT(n << " at " << accuracy) {
        BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
        const double rate = 1/(4*std::sin(pi/n)*std::sin(pi/n));
        for (const int i : {1, n/2, n})
          for (const double t : {0.1, 0.5, 1.0})
            BOOST_TEST(std::abs(r.at("p[" + std::to_string(i) + "]", t) - std::cos(2*pi*i/n)*std::exp(-rate*t)) < 20*accuracy, i << " at " << t);
      }
    }
}

// Two circles whose constraints are coupled, the second one with a speed that is a state always: each chooses for itself.
BOOST_AUTO_TEST_CASE(two_circles) {
  for (const double accuracy : tolerances) {
    const Run r = run("model M Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 2, fixed = true), f; Real p(start = 1), q(start = 0, fixed = true), "
                      "w(start = 0, fixed = true, stateSelect = StateSelect.always); equation der(x) = vx; der(y) = vy; der(vx) = -x*f; der(vy) = -y*f; "
                      "x^2 + y^2 = p^2 + q^2; p^2 + q^2 = 1; w = p*der(q) - q*der(p); der(w) = 1 - w; end M;", 6, accuracy);
    BOOST_TEST_CONTEXT(accuracy) {
      BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
      for (double t = 0; t <= 6; t += 0.06) {
        const double angle = t - 1 + std::exp(-t);   // of the second: its speed is 1 - exp(-t)
        BOOST_TEST(std::abs(r.at("x", t + 1e-9) - std::cos(2*t)) < 100*accuracy);
        BOOST_TEST(std::abs(r.at("q", t + 1e-9) - std::sin(angle)) < 100*accuracy);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_jump_without_events) {
  const double a = std::asin(0.75);
  const auto v = [&](double t) { return 4*(std::cos(a) - std::cos(t)) - 3*(t - a); };
  const double rests = root([&](double t) { return -v(t); }, 1.8, 3.5);
  for (const double accuracy : tolerances) {
    const Run r = run("model M Real v(start = 0.01, fixed = true), F; equation F = noEvent(if v > 0 then 3 else if v < 0 then -3 else 0); der(v) = 4*sin(time) - F; end M;", 3.6, accuracy, 360);
    BOOST_TEST_CONTEXT(accuracy) {
      BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
      for (const double t : {0.4, 0.8, rests + 0.1, 3.5}) BOOST_TEST(std::abs(r.at("v", t)) < accuracy);
      BOOST_TEST(std::abs(r.at("F", 0.8) - 4*std::sin(0.8)) < 20*accuracy);
      for (const double t : {1.2, 1.8}) BOOST_TEST(std::abs(r.at("v", t) - v(t)) < 20*accuracy);
    }
  }
}

// A thermostat without a band: T = 60 - 40*exp(-t/5) up to 22, and there with the mean power of 2.4 from t = 5*log(40/38) on.
BOOST_AUTO_TEST_CASE(a_slide_between_two_sides) {
  const double arrives = 5*std::log(40.0/38);
  for (const double accuracy : tolerances) {
    const Run r = run("model M Real T(start = 20, fixed = true), Q, E(start = 0, fixed = true); equation Q = if T < 22 then 10 else 0; der(T) = Q - 0.2*(T - 10); der(E) = Q; end M;", 8, accuracy, 800);
    BOOST_TEST_CONTEXT(accuracy) {
      BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
      BOOST_TEST(std::abs(r.at("T", 0.2) - (60 - 40*std::exp(-0.04))) < 20*accuracy);
      for (const double t : {1.0, 4.0, 8.0}) {
        BOOST_TEST(std::abs(r.at("T", t) - 22) < 20*accuracy);
        BOOST_TEST(std::abs(r.at("Q", t) - 2.4) < 20*accuracy);
        BOOST_TEST(std::abs(r.at("E", t) - (10*arrives + 2.4*(t - arrives))) < 100*accuracy);
      }
      BOOST_TEST(r.events() < 300u);
      BOOST_REQUIRE(r.result.chattering.size() == 1u);
      BOOST_TEST(std::abs(r.result.chattering[0].from - arrives) < 20*accuracy);
    }
  }
}

// A sum that all equations of a loop hold, with a variable of its own from 65 unknowns on and without one below. With s = sum(z) =
// (x + (n + 1)/2)/2 it is der(x) = b - a*x.
BOOST_AUTO_TEST_CASE(a_loop_with_a_sum_in_each_equation) {
  for (const int n : {30, 100, 300})
    for (const double accuracy : tolerances) {
      const std::string size = std::to_string(n);
      const Run r = run("model M parameter Integer n = " + size + "; Real z[n], x(start = 1, fixed = true); equation der(x) = z[1] - x; "
                        "for i in 1:n loop z[i]*n + sum(z) = x + i; end for; end M;", 2, accuracy);
      const double a = 1 - 0.5/n, b = (1 - (n + 1)/4.0)/n;
      BOOST_TEST_CONTEXT(n << " unknowns, " << accuracy) {
        BOOST_TEST(r.ended());
        for (const double t : {0.5, 1.0, 2.0}) {
          const double x = (1 - b/a)*std::exp(-a*t) + b/a, s = (x + (n + 1)/2.0)/2;
          BOOST_TEST(std::abs(r.at("x", t) - x) < 5*accuracy);
          BOOST_TEST(std::abs(r.at("z[1]", t) - (x + 1 - s)/n) < 5*accuracy);
          BOOST_TEST(std::abs(r.at("z[" + size + "]", t) - (x + n - s)/n) < 5*accuracy);
        }
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
