// A body that turns, in quaternions: no three of them determine the fourth all the way round, so states are chosen anew
// (E9, DESIGN: constraints). Closed form: about z with w = 2, Q = {0, 0, sin(t), cos(t)}.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;

namespace {

const std::string rotation =
    "equation\n"
    "  w = 2*({{Q[4], Q[3], -Q[2], -Q[1]}, {-Q[3], Q[4], Q[1], -Q[2]}, {Q[2], -Q[1], Q[4], -Q[3]}}*der(Q));\n"
    "  T = {{2*(Q[1]*Q[1] + Q[4]*Q[4]) - 1, 2*(Q[1]*Q[2] + Q[3]*Q[4]), 2*(Q[1]*Q[3] - Q[2]*Q[4])},\n"
    "       {2*(Q[2]*Q[1] - Q[3]*Q[4]), 2*(Q[2]*Q[2] + Q[4]*Q[4]) - 1, 2*(Q[2]*Q[3] + Q[1]*Q[4])},\n"
    "       {2*(Q[3]*Q[1] + Q[2]*Q[4]), 2*(Q[3]*Q[2] - Q[1]*Q[4]), 2*(Q[3]*Q[3] + Q[4]*Q[4]) - 1}};\n"
    "  0 = Q*Q - 1;\n"
    "initial equation\n"
    "  Q[1:3] = zeros(3);\n";

/// Masses that the body carries, at 0.5 from the pivot: r = transpose(T)*l.
std::string masses(int count, const std::string& speeds = "default", const std::string& quaternions = "avoid") {
  const std::string n = std::to_string(count);
  return "  Real w[3](start = {0, 0, 2}, each fixed = true, each stateSelect = StateSelect." + speeds + "), r[" + n + ", 3], v[" + n + ", 3], a[" + n + ", 3];\n"
         "  Real Q[4](start = {0, 0, 0, 1}, each stateSelect = StateSelect." + quaternions + "), T[3, 3];\n" + rotation +
         "equation\n"
         "  for i in 1:" + n + " loop\n    r[i, :] = transpose(T)*{0.5, 0, 0};\n    v[i, :] = der(r[i, :]);\n    a[i, :] = der(v[i, :]);\n  end for;\n"
         "  der(w) = -cross({0.5, 0, 0}, T*a[1, :]);\n";
}

void turns(const std::string& text) {
  const Run r = run(text, 20, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  double worst = 0;
  for (int k = 0; k <= 500; k += 5) {
    const double t = 20.0*k/500;
    worst = std::max({worst, std::abs(r.at("Q[3]", t) - std::sin(t)), std::abs(r.at("Q[4]", t) - std::cos(t)), std::abs(r.at("r[1,1]", t) - 0.5*std::cos(2*t))});
  }
  BOOST_TEST(worst < 1e-5);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(quaternions)

BOOST_AUTO_TEST_CASE(a_body_that_turns) { turns("model M\n" + masses(1) + "end M;\n"); }

BOOST_AUTO_TEST_CASE(with_many_definitions) { turns("model M\n" + masses(12) + "end M;\n"); }

BOOST_AUTO_TEST_CASE(with_speeds_that_are_states_always) {
  turns("model M\n" + masses(1, "always") + "end M;\n");
  turns("model M\n" + masses(12, "always") + "end M;\n");
}

BOOST_AUTO_TEST_CASE(with_quaternions_that_are_preferred) {
  // They cannot be states all four.
  turns("model M\n" + masses(1, "default", "prefer") + "end M;\n");
  turns("model M\n" + masses(12, "always", "prefer") + "end M;\n");
}

BOOST_AUTO_TEST_CASE(with_a_state_that_stands_in_definitions) {
  // A point on a rotor that the body carries: it turns by phi = t more.
  turns("model M\n  Real phi(start = 0, fixed = true, stateSelect = StateSelect.prefer), u(start = 1, fixed = true, stateSelect = StateSelect.prefer), p[3], vp[3], ap[3];\n" + masses(1) +
        "  u = der(phi);\n  der(u) = 0*ap[1];\n  p = transpose(T)*{0.5 + 0.3*cos(phi), 0.3*sin(phi), 0};\n  vp = der(p);\n  ap = der(vp);\nend M;\n");
}

BOOST_AUTO_TEST_SUITE_END()
