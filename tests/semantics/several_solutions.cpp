// Equations with several solutions: homotopy says which one a run begins with (MLS 3.7.4.4), and it is followed to its end. Closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

// An amplifier that feeds half of its output back: saturated at either limit, or in between.
std::string amplifier(const std::string& simplified, const std::string& rest) {
  return "model M parameter Real A = 15000; Real u, v, c" + rest + " u = v/2 - c; v = homotopy(smooth(0, noEvent(if A*u > 1 then 1 elseif A*u < -1 then -1 else A*u)), " + simplified + "); end M;";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(several_solutions)

BOOST_AUTO_TEST_CASE(homotopy_chooses_though_another_is_found_without_it) {
  for (const double limit : {-1.0, 1.0}) {
    const Run r = run(amplifier(limit < 0 ? "-1" : "1", "; equation c = 0.1;"));
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.initial("v") == limit);
    BOOST_TEST(r.initial("u") == limit / 2 - 0.1, tolerance(1e-12));
  }
  // In between, where the simplified equation is linear: A*(v/2 - c) = v.
  const Run r = run(amplifier("A*u", "; equation c = 0.1;"));
  BOOST_TEST(r.initial("v") == 15000 * 0.1 / 7499, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_simplified_system_without_solution_is_no_obstacle) {
  const Run r = run("model M Real x(start = 3); equation 0 = homotopy(x^2 - 4, exp(x) + 1); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("x") == 2, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_solution_is_followed_to_its_end) {
  // The capacitor charges towards the output until that is held no more, at c = v*(1/2 - 1/A): half a period takes
  // tau*log((1 + b)/(1 - b)) with b = 1/2 - 1/A, the first one from c = 0 on tau*log(1/(1 - b)).
  const double b = 0.5 - 1.0 / 15000, tau = 0.1;
  const double first = tau * std::log(1 / (1 - b)), half = tau * std::log((1 + b) / (1 - b));
  for (const double accuracy : {1e-4, 1e-6, 1e-8}) {
    const Run r = run(amplifier("1", "(start = 0, fixed = true); equation 0.1*der(c) = v - c;"), 2, accuracy, 100);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    int switched = 0;
    for (double t = first; t < 1.99; t += half, ++switched) {
      const double before = switched % 2 == 0 ? 1 : -1;
      BOOST_TEST(std::abs(r.at("v", t - 0.02) - before) < 1e-12, "at " << t << " with tolerance " << accuracy);
      BOOST_TEST(std::abs(r.at("v", t + 0.021) + before) < 1e-12, "at " << t << " with tolerance " << accuracy);
    }
    BOOST_TEST(switched == 18);
    // After the last time the output is 1, and the capacitor has come so far from -b.
    const double since = 2 - (first + 17 * half);
    BOOST_TEST(std::abs(r.final("c") - (1 - (1 + b) * std::exp(-since / tau))) < 1e-4 + 10 * accuracy);
  }
}

BOOST_AUTO_TEST_CASE(where_the_slope_vanishes_at_the_start_the_nearest_solution_is_found) {
  const double pi = 3.14159265358979323846;
  const Run r = run("model M Real x(start = 0), y(start = 10), z, u, v(start = 3); equation cos(x) = time; cos(y) = time; z^2 = 1; u*u = 4 + time; (v - 3)^2 = 1e4; end M;", 0.5);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("x") == pi / 2, tolerance(1e-9));   // as near as -pi/2, and positive
  BOOST_TEST(r.final("x") == pi / 3, tolerance(1e-9));
  BOOST_TEST(r.initial("y") == 3.5 * pi, tolerance(1e-9));
  BOOST_TEST(r.initial("z") == 1);
  BOOST_TEST(r.final("u") == std::sqrt(4.5), tolerance(1e-9));
  BOOST_TEST(r.initial("v") == 103, tolerance(1e-9));
  // A pole is a change of sign, too.
  const Run pole = run("model M Real x(start = 0); equation 1/(x - 1) + 1/(x + 1) + 1/(x - 3)^2 = 0; end M;");
  BOOST_REQUIRE_MESSAGE(pole.ended(), pole.diagnostics + pole.message());
  const double x = pole.initial("x");
  BOOST_TEST(std::abs(2 * x * (x - 3) * (x - 3) + (x * x - 1)) < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
