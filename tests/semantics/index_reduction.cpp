// Whole runs of higher-index models, each against what is known of it without index reduction.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

constexpr double pi = 3.14159265358979323846;

void near(const Run& r, const std::string& variable, double time, double expected, double tolerance) {
  BOOST_TEST(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(std::abs(r.at(variable, time) - expected) <= tolerance,
             variable << " at " << time << " is " << r.at(variable, time) << ", not " << expected);
}

/// The period of a pendulum of length L released at rest at an angle from below: 2 pi sqrt(L/g) / agm(1, cos(a/2)).
double period(double length, double g, double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int k = 0; k < 40; ++k) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * pi * std::sqrt(length / g) / a;
}

std::string pendulum(double x, double y, const std::string& speed = "") {
  return "model P\n Real x(start = " + std::to_string(x) + ", fixed = true); Real y(start = " + std::to_string(y) +
         "); Real vx(start = 0" + (speed.empty() ? ", fixed = true" : "") + "); Real vy; Real F;\n Real energy = (vx^2 + vy^2)/2 + 9.81*y;"
         " Real length = sqrt(x^2 + y^2);\n" + (speed.empty() ? "" : "initial equation\n " + speed + ";\n") +
         "equation\n der(x) = vx;\n der(y) = vy;\n der(vx) = F*x;\n der(vy) = F*y - 9.81;\n x^2 + y^2 = 1;\nend P;";
}

void keeps(const Run& r, double stop, double energy) {
  for (int k = 0; k <= 50; ++k) {
    near(r, "length", stop * k / 50, 1, 1e-8);
    near(r, "energy", stop * k / 50, energy, 2e-5);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_reduction_runs)

BOOST_AUTO_TEST_CASE(pendulum_with_small_swings) {
  const double T = period(1, 9.81, std::asin(0.1));
  const Run r = run(pendulum(0.1, -1), 3 * T, 1e-9);
  keeps(r, 3 * T, 9.81 * -std::sqrt(1 - 0.01));
  near(r, "x", 3 * T, 0.1, 1e-6);
}

BOOST_AUTO_TEST_CASE(pendulum_beyond_the_horizontal) {
  // From 127 degrees: neither x nor y would do as a state all the way.
  const double T = period(1, 9.81, pi - std::acos(0.6));
  const Run r = run(pendulum(0.8, 0.6), 3 * T, 1e-10);
  keeps(r, 3 * T, 9.81 * 0.6);
  near(r, "x", 3 * T, 0.8, 1e-5);
  near(r, "y", 3 * T, 0.6, 1e-5);
  BOOST_TEST(r.result.statistics.reselections > 10u);
  BOOST_TEST(r.events() == 0u);
}

BOOST_AUTO_TEST_CASE(pendulum_that_goes_round) {
  // With 8 m/s at the lowest point it goes over the top; energy there 32 - 9.81.
  const Run r = run(pendulum(0, -1, "vx = 8"), 5, 1e-9);
  keeps(r, 5, 32 - 9.81);
  double highest = -1;
  for (int k = 0; k <= 500; ++k) highest = std::max(highest, r.at("y", 0.01 * k));
  BOOST_TEST(highest > 0.99);
}

BOOST_AUTO_TEST_CASE(two_inertias_through_a_gear) {
  // J1 + J2/r^2 = 1 + 50/100 under a torque of 3.
  const Run r = run(
      "model G\n parameter Real r = 10; Real phi1(start = 0, fixed = true); Real phi2; Real w1(start = 1, fixed = true); Real w2; Real t1; "
      "Real t2;\nequation\n w1 = der(phi1);\n w2 = der(phi2);\n der(w1) = 3 + t1;\n 50*der(w2) = -t2;\n phi1 = r*phi2;\n r*t1 = t2;\nend G;",
      2, 1e-8);
  near(r, "w1", 2, 1 + 2 * 2.0, 1e-7);
  near(r, "phi2", 2, (2 + 2 * 2.0) / 10, 1e-7);
  near(r, "t2", 1, -10.0, 1e-9);
}

// A ratio that follows from parameters, by way of other variables: (m2 + n^2*m1)*der(v2) = u and so, with a wall on a spring, an oscillation.
BOOST_AUTO_TEST_CASE(a_lever_whose_ratio_is_a_variable) {
  for (const int links : {1, 10, 100})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const std::string size = std::to_string(links);
      const Run r = run("model M parameter Real a = 6, b = 2, m1 = 0.5, m2 = 2, c = 30; Real n[" + size + "]; Real x1, v1, x2(start = 1, fixed = true), v2(start = 0, fixed = true), f; "
                        "equation for k in 1:" + size + "-1 loop n[k] = n[k + 1]*b/b; end for; n[" + size + "] = a/b; "
                        "x1 = n[1]*x2; der(x1) = v1; der(x2) = v2; m1*der(v1) = f; m2*der(v2) = -c*x2 - n[1]*f; end M;", 1, tolerance);
      const double frequency = std::sqrt(30 / (2 + 9 * 0.5));
      near(r, "x2", 1, std::cos(frequency), 20 * tolerance);
      near(r, "v1", 1, -3 * frequency * std::sin(frequency), 60 * frequency * tolerance);
    }
}

BOOST_AUTO_TEST_CASE(components_rigidly_connected) {
  const Run r = run(
      "package P\n connector Flange Real phi; flow Real tau; end Flange;\n model Inertia parameter Real J = 1; Flange a; Flange b; Real phi; "
      "Real w; Real acc;\n equation phi = a.phi; phi = b.phi; w = der(phi); acc = der(w); J*acc = a.tau + b.tau; end Inertia;\n"
      " model Gear parameter Real ratio = 2; Flange a; Flange b; equation a.phi = ratio*b.phi; 0 = ratio*a.tau + b.tau; end Gear;\n"
      " model Torque Flange f; equation f.tau = -6; end Torque;\n"
      " model M Torque t; Inertia i1(J = 2); Inertia i2(J = 3); Gear g; Inertia i3(J = 4);\n equation connect(t.f, i1.a); "
      "connect(i1.b, i2.a); connect(i2.b, g.a); connect(g.b, i3.a); end M;\nend P;\nmodel Whole extends P.M; end Whole;",
      1, 1e-8);
  // 2 + 3 + 4/4 = 6
  near(r, "i1.acc", 0.5, 1, 1e-9);
  near(r, "i2.w", 1, 1, 1e-7);
  near(r, "i3.phi", 1, 0.25, 1e-7);
}

BOOST_AUTO_TEST_CASE(capacitors_in_parallel) {
  const Run r = run(
      "model C\n Real v1(start = 1, fixed = true); Real v2; Real i1; Real i2;\nequation\n 1*der(v1) = i1;\n 3*der(v2) = i2;\n"
      " v1 = v2;\n i1 + i2 = -v1/2;\nend C;", 4, 1e-9);
  near(r, "v2", 4, std::exp(-4.0 / 8), 1e-8);
  near(r, "i2", 2, -0.375 * std::exp(-2.0 / 8), 1e-8);
}

BOOST_AUTO_TEST_CASE(capacitors_in_a_triangle) {
  // Loaded alike at each corner by a conductance of 1: the corner potentials sum to 0 and decay like exp(-t/3) by symmetry.
  const Run r = run(
      "model T\n Real v1(start = 1, fixed = true); Real v2(start = 1, fixed = true); Real v3; Real i1; Real i2; Real i3; Real a; Real b; "
      "Real c;\nequation\n v1 = a - b;\n v2 = b - c;\n v3 = c - a;\n der(v1) = i1;\n der(v2) = i2;\n der(v3) = i3;\n i1 - i3 + a = 0;\n"
      " i2 - i1 + b = 0;\n i3 - i2 + c = 0;\nend T;", 2, 1e-9);
  near(r, "v1", 2, std::exp(-2.0 / 3), 1e-8);
  near(r, "v3", 2, -2 * std::exp(-2.0 / 3), 1e-8);
  near(r, "b", 1, 0, 1e-8);
}

BOOST_AUTO_TEST_CASE(capacitors_in_a_triangle_behind_transformers) {
  // The triangle above, two sides of it through a transformer of ratio n: seen from the corners their capacities are n^2,
  // and so is the third one's, so that all decays like exp(-t/(3 n^2)). Ratios as factors and as divisors of unknowns.
  for (const std::string sides : {"v1 = n*(a - b);\n v2 = n*(b - c);", "v1/n = a - b;\n v2/n = b - c;", "v1/n = a - b;\n v2 = n*b - n*c;"})
    for (const double n : {2.0, -0.5}) {
      const Run r = run("model T\n parameter Real n = " + std::to_string(n) +
                            ";\n Real v1(start = n, fixed = true); Real v2(start = n, fixed = true); Real v3; Real i1; Real i2; Real i3; Real a; Real b; Real c;"
                            "\nequation\n " + sides + "\n v3 = c - a;\n der(v1) = i1;\n der(v2) = i2;\n n^2*der(v3) = i3;\n n*i1 - i3 + a = 0;\n"
                            " n*i2 - n*i1 + b = 0;\n i3 - n*i2 + c = 0;\nend T;", 2, 1e-9);
      near(r, "v1", 2, n * std::exp(-2 / (3 * n * n)), 1e-8);
      near(r, "v3", 2, -2 * std::exp(-2 / (3 * n * n)), 1e-8);
      near(r, "b", 1, 0, 1e-8);
    }
}

BOOST_AUTO_TEST_CASE(parameters_that_cancel_for_some_values_hide_nothing) {
  // The three equations between u, v, w, z leave (p1 - p2 - p3 + p4)*u, which is 1*u here: y' = y + 7 t. Whatever the parameters are called and valued.
  const Run r = run("model M\n parameter Real p1 = 1, p2 = 2, p3 = 3, p4 = 5;\n Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n Real u, v, w, z;\nequation\n der(x) = 1;\n der(y) = u;\n"
                    " p1*u + p2*v + p3*w + p4*z = y;\n u + v = x;\n u + w = 2*x;\n u - z = 3*x;\nend M;", 1, 1e-9);
  near(r, "y", 1, 7*(std::exp(1.0) - 2), 1e-7);
  // A second difference: (k1 - 2*k2 + k3)*u = y + 8 x with 1 - 4 + 5 = 2.
  const Run s = run("model M\n parameter Real k[3] = {1, 2, 5};\n Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n Real u, v, w;\nequation\n der(x) = 1;\n der(y) = u;\n"
                    " k[1]*u + k[2]*v + k[3]*w = y;\n 2*u + v = x;\n u - w = 2*x;\nend M;", 1, 1e-9);
  near(s, "u", 0, 0, 1e-9);
  near(s, "y", 1, 16*(std::exp(0.5) - 1.5), 1e-7);   // y' = (y + 8 t)/2
  // c beside s is the pivot, and r*s/s is r: b = x/5, although p and q are the same.
  const Run t = run("model M\n parameter Real p = 2, q = 2, r = 3, s = 1, m = 2;\n Real x(start = 1, fixed = true), y, z, a, b, c;\nequation\n der(x) = -x + b;\n der(y) = -y + c + m*a;\n z = time;\n"
                    " a + b = z;\n p*a + q*b + s*c = x;\n (r*p)*a + (r*q)*b + (r*s)*c = y;\nend M;", 1, 1e-9);
  near(t, "x", 1, std::exp(-0.8), 1e-7);
}

BOOST_AUTO_TEST_CASE(inductors_at_one_node) {
  // Nothing but inductors meets there: i1 + i2 + i3 = 0. From rest, a step of 1 V on the first: by symmetry of the
  // others the loop has L1 + L2/2 = 2 + 1/2 and R = 1 + 1/2.
  const Run r = run(
      "model I\n Real i1(start = 0, fixed = true); Real i2(start = 0, fixed = true); Real i3; Real v;\nequation\n 2*der(i1) = 1 - i1 - v;\n"
      " der(i2) = -i2 - v;\n der(i3) = -i3 - v;\n i1 + i2 + i3 = 0;\nend I;", 3, 1e-9);
  const double expected = (1 - std::exp(-3 * 1.5 / 2.5)) / 1.5;
  near(r, "i1", 3, expected, 1e-8);
  near(r, "i3", 3, -expected / 2, 1e-8);
}

BOOST_AUTO_TEST_CASE(prescribed_motion_and_unknown_force) {
  const Run r = run(
      "model F\n Real s; Real v; Real f; Real u; Real w;\nequation\n s + u = sin(2*time);\n u = 0.5*s;\n v = der(s);\n w = der(v);\n 3*w = f - 10*s;\nend F;",
      1, 1e-8);
  const auto s = [](double t) { return std::sin(2 * t) / 1.5; };
  near(r, "f", 0.7, 3 * -4 * s(0.7) + 10 * s(0.7), 1e-6);
  near(r, "v", 0.7, 2 * std::cos(1.4) / 1.5, 1e-6);
}

BOOST_AUTO_TEST_CASE(constraint_with_a_switch) {
  // From 1 on the second tank stands twice as high beside the first; the amount of the first does not jump.
  const Run r = run(
      "model S\n Real a(start = 1, fixed = true, stateSelect = StateSelect.prefer); Real b; Real q; Real k;\nequation\n k = if time < 1 then 1 else 2;\n"
      " der(a) = q - a;\n der(b) = -q;\n b = k*a;\nend S;", 3, 1e-9);
  const double middle = std::exp(-0.5);
  near(r, "a", 0.48, std::exp(-0.24), 1e-8);
  near(r, "a", 3, middle * std::exp(-2.0 / 3), 1e-8);
  near(r, "b", 3, 2 * middle * std::exp(-2.0 / 3), 1e-8);
}

BOOST_AUTO_TEST_CASE(reinit_of_one_of_two_bound_states) {
  const Run r = run(
      "model R\n Real a(start = 1, fixed = true); Real b; Real i;\nequation\n der(a) = i - a;\n 2*der(b) = -i;\n 3*a - b = 0;\n"
      " when time > 1 then reinit(b, 6); end when;\nend R;", 2, 1e-9);
  // 7 der(a) = -a
  near(r, "b", 0.9, 3 * std::exp(-0.9 / 7), 1e-8);
  near(r, "a", 2, 2 * std::exp(-1.0 / 7), 1e-8);
}

BOOST_AUTO_TEST_CASE(slider_crank) {
  // The crank turns at 3 rad/s; the rod joins (cos, sin) to (s, 0) and is 2 long.
  const Run r = run(
      "model K\n Real phi(start = 0, fixed = true); Real w(start = 3, fixed = true); Real s(start = 3); Real v; Real f; Real x; Real y;\n"
      "equation\n der(phi) = w;\n der(w) = 0;\n der(s) = v;\n der(v) = f;\n x = cos(phi);\n y = sin(phi);\n (s - x)^2 + y^2 = 4;\nend K;",
      4, 1e-9);
  for (double t : {0.4, 1.0, 2.4, 4.0}) {
    const double p = 3 * t, root = std::sqrt(4 - std::sin(p) * std::sin(p));
    near(r, "s", t, std::cos(p) + root, 1e-7);
    near(r, "v", t, 3 * (-std::sin(p) - std::sin(p) * std::cos(p) / root), 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(double_pendulum_in_cartesian_coordinates) {
  // Two rods of length 1, two masses of 1: two constraints, both chosen anew as they swing. The energy is kept.
  const Run r = run(
      "model D\n Real x1(start = 1, fixed = true); Real y1(start = 0); Real x2(start = 1); Real y2(start = -1, fixed = true); "
      "Real vx1(start = 0); Real vy1(start = 0, fixed = true); Real vx2(start = 0, fixed = true); Real vy2; Real F; Real G;\n"
      " Real energy = (vx1^2 + vy1^2 + vx2^2 + vy2^2)/2 + 9.81*(y1 + y2);\n Real one = x1^2 + y1^2; Real two = (x2 - x1)^2 + (y2 - y1)^2;\n"
      "equation\n der(x1) = vx1; der(y1) = vy1; der(x2) = vx2; der(y2) = vy2;\n der(vx1) = F*x1 - G*(x2 - x1);\n"
      " der(vy1) = F*y1 - G*(y2 - y1) - 9.81;\n der(vx2) = G*(x2 - x1);\n der(vy2) = G*(y2 - y1) - 9.81;\n one = 1;\n two = 1;\nend D;",
      2, 1e-10);
  for (int k = 0; k <= 20; ++k) {
    near(r, "one", 0.1 * k, 1, 1e-7);
    near(r, "two", 0.1 * k, 1, 1e-7);
    near(r, "energy", 0.1 * k, -9.81, 1e-5);
  }
}

// x = cos(w*t); sin(z)*der(z) = t - t^3/6 + ... from z(0) = pi/2 at rest, with the integral of it: cos(z) = -(t^2/2).
BOOST_AUTO_TEST_CASE(der_of_der) {
  const Run r = run("model M Real x(start = 1, fixed = true), v, a, z(start = 1.5707963267948966, fixed = true), y; equation v = der(x); a = der(der(x)); der(der(x)) = -4*x;"
                    "der(sin(z)*der(z)) = 1; der(y) = 1 + der(y + der(y)) - der(y); initial equation der(x) = 0; der(z) = 0; y = 0; end M;", 1, 1e-9, 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - std::cos(2.0)) < 1e-7);
  BOOST_TEST(std::abs(r.final("v") + 2 * std::sin(2.0)) < 1e-7);
  BOOST_TEST(std::abs(r.final("a") + 4 * std::cos(2.0)) < 1e-6);
  BOOST_TEST(std::abs(std::cos(r.final("z")) + 0.5) < 1e-7);
}

BOOST_AUTO_TEST_SUITE_END()
