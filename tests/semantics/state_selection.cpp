// Motion on a circle: neither coordinate determines the other all the way round, whatever the velocities are called. States
// are chosen during the run, or the run ends where they no longer say on which branch of the constraint it is.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

// Without gravity, and with y' = 2 at (1, 0): x = cos(2t), y = sin(2t).
void turns_round(const std::string& body) {
  const Run r = run("model M " + body + " end M;", 6, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), body + ": " + r.diagnostics + r.message());
  double worst = 0;
  for (int k = 0; k <= 500; k += 5) {
    const double t = 6.0 * k / 500;
    worst = std::max({worst, std::abs(r.at("x", t) - std::cos(2 * t)), std::abs(r.at("y", t) - std::sin(2 * t))});
  }
  BOOST_TEST(worst < 1e-5, body << ": off by " << worst);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_selection)

BOOST_AUTO_TEST_CASE(velocities_by_name) {
  turns_round("Real x(start = 1, fixed = true), y, u, v(start = 2, fixed = true), F; equation x*x + y*y = 1; der(x) = u; der(y) = v; der(u) = -x*F; der(v) = -y*F;");
}

BOOST_AUTO_TEST_CASE(a_velocity_with_a_factor) {
  turns_round("Real x(start = 1, fixed = true), y, u, v(start = 1, fixed = true), F; equation x*x + y*y = 1; der(x) = u; der(y) = 2*v; der(u) = -x*F; 2*der(v) = -y*F;");
}

BOOST_AUTO_TEST_CASE(momenta) {
  turns_round("parameter Real m = 3; Real x(start = 1, fixed = true), y, p, q(start = 6, fixed = true), F; equation x*x + y*y = 1; p = m*der(x); q = m*der(y); der(p) = -x*F; der(q) = -y*F;");
}

BOOST_AUTO_TEST_CASE(a_velocity_relative_to_something_moving) {
  // u is the velocity without that of the wind.
  turns_round("Real x(start = 1, fixed = true), y, u, v(start = 2, fixed = true), F; equation x*x + y*y = 1; der(x) = u + sin(time); der(y) = v; der(u) = -x*F - cos(time); der(v) = -y*F;");
}

BOOST_AUTO_TEST_CASE(velocities_in_another_frame) {
  turns_round("parameter Real c = sqrt(0.5); Real x(start = 1, fixed = true), y, u, v(start = sqrt(2), fixed = true), F; equation x*x + y*y = 1; "
              "der(x) = c*u - c*v; der(y) = c*u + c*v; der(u) = -c*(x + y)*F; der(v) = -c*(y - x)*F;");
}

BOOST_AUTO_TEST_CASE(one_velocity_by_momentum_and_one_by_a_sum) {
  turns_round("Real x(start = 1, fixed = true), y, p, s(start = 2, fixed = true), F; equation x*x + y*y = 1; p = 5*der(x); s = der(x) + der(y); der(p) = -5*x*F; der(s) = -(x + y)*F;");
}

// StateSelect.always on both leaves no choice: x is the root on one branch, which ends at (0, 1).
BOOST_AUTO_TEST_CASE(a_branch_that_is_lost_is_an_error) {
  const Run r = run("model M Real x(start = 1), y(stateSelect = StateSelect.always, start = 0, fixed = true), u, v(stateSelect = StateSelect.always, start = 2, fixed = true), F; "
                    "equation x*x + y*y = 1; der(x) = u; der(y) = v; der(u) = -x*F; der(v) = -y*F; end M;", 6, 1e-8);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message() != "");
  BOOST_TEST(std::abs(r.result.time - std::acos(-1.0) / 4) < 0.05);
  // Up to there all is right.
  BOOST_TEST(std::abs(r.at("x", 0.6) - std::cos(1.2)) < 1e-5);
}

// Two circles whose constraints are coupled, the second one with a speed that is a state always. Each has its choice.
BOOST_AUTO_TEST_CASE(beside_another_circle_whose_speed_is_a_state) {
  turns_round("Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 2, fixed = true), f; Real p(start = 1), q(start = 0, fixed = true), "
              "w(start = 0, fixed = true, stateSelect = StateSelect.always); equation der(x) = vx; der(y) = vy; der(vx) = -x*f; der(vy) = -y*f; "
              "x^2 + y^2 = p^2 + q^2; p^2 + q^2 = 1; w = p*der(q) - q*der(p); der(w) = 1 - w;");
}

// A chain of pendulums falls from the horizontal: its constraints are coupled, and each link passes its lowest point. Nothing takes energy from it.
BOOST_AUTO_TEST_CASE(chains_of_pendulums) {
  for (const int n : {2, 31, 110})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Run r = run("model M constant Integer n = " + std::to_string(n) + "; Real x[n](start = {1.0*i for i in 1:n}), y[n](each start = 0), vx[n], vy[n], F[n], E; equation for i in 1:n loop "
                        "der(x[i]) = vx[i]; der(y[i]) = vy[i]; "
                        "der(vx[i]) = -F[i]*(x[i] - (if i > 1 then x[max(i - 1, 1)] else 0)) + (if i < n then F[min(i + 1, n)]*(x[min(i + 1, n)] - x[i]) else 0); "
                        "der(vy[i]) = -F[i]*(y[i] - (if i > 1 then y[max(i - 1, 1)] else 0)) + (if i < n then F[min(i + 1, n)]*(y[min(i + 1, n)] - y[i]) else 0) - 9.81; "
                        "(x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))^2 + (y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))^2 = 1; end for; "
                        "E = sum(vx[i]^2/2 + vy[i]^2/2 + 9.81*y[i] for i in 1:n); end M;", n == 31 ? 4 : 1, tolerance, 20);
      BOOST_REQUIRE_MESSAGE(r.ended(), n << " at " << tolerance << ": " << r.diagnostics << r.message());
      BOOST_TEST(std::abs(r.final("E")) < 1000*tolerance*n, n << " at " << tolerance << ": " << r.final("E"));
    }
}

// The same in three dimensions: a great circle, tilted.
BOOST_AUTO_TEST_CASE(on_a_sphere) {
  const Run r = run("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0), p, q(start = 1.2, fixed = true), w(start = 1.6, fixed = true), F; equation x*x + y*y + z*z = 1; "
                    "p = 2*der(x); q = 2*der(y); w = 2*der(z); der(p) = -2*x*F; der(q) = -2*y*F; der(w) = -2*z*F; end M;", 8, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  // Speed 1: (cos t, 0.6 sin t, 0.8 sin t)
  for (int k = 0; k <= 500; k += 10) {
    const double t = 8.0 * k / 500;
    BOOST_TEST(std::abs(r.at("x", t) - std::cos(t)) < 1e-5);
    BOOST_TEST(std::abs(r.at("y", t) - 0.6 * std::sin(t)) < 1e-5);
    BOOST_TEST(std::abs(r.at("z", t) - 0.8 * std::sin(t)) < 1e-5);
  }
}

// Which velocity is a state decides which position can be one.
BOOST_AUTO_TEST_CASE(a_position_that_is_always_a_state_beats_a_preferred_velocity) {
  const Run r = run("model M Real s(start = 0, fixed = true, stateSelect = StateSelect.always), v(start = 1, fixed = true), s_rel(stateSelect = StateSelect.prefer), v_rel(stateSelect = StateSelect.prefer);"
                    "equation v = der(s); v_rel = der(s_rel); s_rel = 3 - s; der(v) = 2*v_rel - s; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.is_state("s"));
  BOOST_TEST(!r.is_state("s_rel"));
  BOOST_TEST(std::abs(r.final("s") - std::exp(-1.0)) < 1e-5);   // s'' + 2s' + s = 0: t exp(-t)
}

BOOST_AUTO_TEST_SUITE_END()
