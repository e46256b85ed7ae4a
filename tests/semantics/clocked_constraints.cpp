// Constraints between the states of a clocked partition with a solverMethod (MLS 16.8.2): the method is applied to the ordinary
// differential equation that is left. Expected are the methods written out by hand for that one.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

constexpr double h = 0.1;
constexpr const char* methods[] = {"ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid"};

std::string clock_of(const std::string& method, const std::string& interval = "Clock(1, 10)") { return "Clock(" + interval + ", solverMethod = \"" + method + "\")"; }

void check_run(const Run& r) { BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message()); }

/// expected(k): the value at tick k.
void follow(const Run& r, const std::string& name, int ticks, const std::function<double(int)>& expected, double interval = h) {
  for (int k = 0; k < ticks; ++k) BOOST_TEST(r.at(name, k * interval) == expected(k), tolerance(1e-9));
}

/// x' = a x + b u with u = u(k) at tick k, by a method.
std::vector<double> linear(const std::string& method, double x, double a, double b, const std::function<double(int)>& u, int ticks, double step = h) {
  std::vector<double> result{x};
  for (int k = 1; k < ticks; ++k) {
    if (method == "ExplicitEuler") x += step * (a * x + b * u(k - 1));
    else if (method == "ImplicitEuler") x = (x + step * b * u(k)) / (1 - step * a);
    else x = (x + step / 2 * (a * x + b * u(k - 1) + b * u(k))) / (1 - step / 2 * a);
    result.push_back(x);
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(clocked_constraints)

// x = y, and together 2 x' = -4 x + u.
BOOST_AUTO_TEST_CASE(two_states_that_are_equal) {
  for (const std::string method : methods) {
    const Run r = run("model M Real u, x(start = 1), y(start = 2, stateSelect = StateSelect.always), f; equation u = sample(time, " + clock_of(method) +
                      "); der(x) = -x + f; der(y) = -3*y + u - f; x = y; end M;", 0.95);
    check_run(r);
    const auto x = linear(method, 2, -2, 0.5, [](int k) { return k * h; }, 10);
    follow(r, "x", 10, [&](int k) { return x[k]; });
    follow(r, "y", 10, [&](int k) { return x[k]; });
    follow(r, "f", 10, [&](int k) { return -x[k] + 0.5 * k * h; });   // x' + x
  }
}

// Whose start value counts: the one that is fixed, the one that has one, the one that shall be a state (MLS 16.9: no other effect).
BOOST_AUTO_TEST_CASE(the_start_value_of_the_state_that_stays_counts) {
  const auto first = [](const std::string& x, const std::string& y) {
    const Run r = run("model M Real u, x" + x + ", y" + y + ", f; equation u = sample(time, " + clock_of("ExplicitEuler") + "); der(x) = -x + f; der(y) = -3*y + u - f; x = y + 1; end M;", 0.25);
    check_run(r);
    BOOST_TEST(r.at("x", 0) == r.at("y", 0) + 1, tolerance(1e-12));
    return r.at("x", 0);
  };
  BOOST_TEST(first("(start = 5)", "") == 5);
  BOOST_TEST(first("", "(start = 5)") == 6);
  BOOST_TEST(first("(start = 5)", "(start = 7, fixed = true)") == 8);
  BOOST_TEST(first("(start = 5, fixed = true)", "(start = 7)") == 5);
  BOOST_TEST(first("(start = 5, stateSelect = StateSelect.always)", "(start = 7, fixed = true)") == 5);
  BOOST_TEST(first("(start = 5)", "(start = 7, stateSelect = StateSelect.prefer)") == 8);
  BOOST_TEST(first("(start = 5, stateSelect = StateSelect.avoid)", "(start = 7)") == 8);
}

// A state is fixed, as what previous() is applied to (MLS 16.9); another variable begins where the states put it, and that is said.
BOOST_AUTO_TEST_CASE(fixed_in_a_discretised_partition) {
  const auto said = [](const std::string& x, const std::string& y, const std::string& z) {
    return complaints("model M Real u, x" + x + ", y" + y + ", f, z" + z + "; equation u = sample(time, " + clock_of("ExplicitEuler") + "); der(x) = -x + f; der(y) = -3*y + u - f; x = y; z = 2*u; end M;");
  };
  BOOST_TEST(said("(start = 1, fixed = true)", "(start = 2)", "") == "");
  BOOST_TEST(said("(start = 1, fixed = true)", "(start = 2, fixed = false)", "(fixed = false)") == "");
  const std::string both = said("(start = 1, fixed = true)", "(start = 2, fixed = true)", "");
  BOOST_TEST(both.find("warning: the start value of `y` does not count, though it is fixed: the other states of its clocked partition determine it") != std::string::npos, both);
  BOOST_TEST(both.find("value of `x`") == std::string::npos, both);
  const std::string none = said("(start = 1)", "(start = 2)", "(start = 2, fixed = true)");
  BOOST_TEST(none.find("warning: fixed has no effect on the clocked variable `z` (MLS 16.9)") != std::string::npos, none);
}

// What drives T y' = -y + 2 v so that y follows a filter of order 1: v = (T w' + w)/2.
BOOST_AUTO_TEST_CASE(an_inverse_model_behind_a_filter) {
  for (const std::string method : methods) {
    const Run r = run("model Plant Real v, y(start = 3); equation 0.5*der(y) = -y + 2*v; end Plant; model M Plant p; Real u, w(start = 1, fixed = true); equation u = sample(time, " +
                      clock_of(method) + "); 0.4*der(w) = u - w; p.y = w; end M;", 0.95);
    check_run(r);
    const auto w = linear(method, 1, -2.5, 2.5, [](int k) { return k * h; }, 10);
    follow(r, "p.y", 10, [&](int k) { return w[k]; });
    follow(r, "p.v", 10, [&](int k) { return (0.5 * (k * h - w[k]) / 0.4 + w[k]) / 2; });
  }
}

// Of relative degree 2, and nonlinear; the states are those of the plant, as stateSelect says, and the filter's follow.
BOOST_AUTO_TEST_CASE(the_states_of_the_inverse_model_may_be_the_ones_that_stay) {
  const Run r = run(
      "model M Real u, x1(start = 9), x2(start = 9), c(start = 1, stateSelect = StateSelect.always), T(start = 0.5, stateSelect = StateSelect.always), v; equation u = sample(time, " +
      clock_of("ExplicitEuler") + "); der(x1) = u - x1; der(x2) = x1 - x2; der(c) = -c*T; der(T) = -T + v; c = x2; end M;", 0.95);
  check_run(r);
  double c = 1, T = 0.5;
  for (int k = 0; k < 10; ++k) {
    const double x1 = c * (1 - T), dc = -c * T, dT = (dc * (1 - T) - (k * h - x1)) / c;
    BOOST_TEST(r.at("c", k * h) == c, tolerance(1e-9));
    BOOST_TEST(r.at("x2", k * h) == c, tolerance(1e-9));
    BOOST_TEST(r.at("x1", k * h) == x1, tolerance(1e-9));
    BOOST_TEST(r.at("T", k * h) == T, tolerance(1e-9));
    BOOST_TEST(r.at("v", k * h) == dT + T, tolerance(1e-9));
    c += h * dc, T += h * dT;
  }
}

// The force on a mass whose position a filter of order 2 prescribes: index 3.
BOOST_AUTO_TEST_CASE(a_mass_whose_position_is_prescribed) {
  for (const std::string method : methods) {
    const Run r = run("model M Real u, w, wd, s, v, F; equation u = sample(1.0, " + clock_of(method) +
                      "); der(w) = wd; der(wd) = u - 2*wd - w; der(s) = v; 2*der(v) = F; s = w; end M;", 0.95);
    check_run(r);
    double w = 0, d = 0;
    for (int k = 0; k < 10; ++k) {
      BOOST_TEST(r.at("s", k * h) == w, tolerance(1e-9));
      BOOST_TEST(r.at("v", k * h) == d, tolerance(1e-9));
      BOOST_TEST(r.at("F", k * h) == 2 * (1 - 2 * d - w), tolerance(1e-9));
      const double before = d, q = h * h / 4;
      if (method == "ExplicitEuler") d += h * (1 - 2 * d - w), w += h * before;
      else if (method == "ImplicitEuler") d = (d + h * (1 - w)) / (1 + 2 * h + h * h), w += h * d;
      else d = (d * (1 - h - q) + h * (1 - w)) / (1 + h + q), w += h / 2 * (before + d);
    }
  }
}

// A triangle of capacitors: v1 + v2 + v3 = 0 stands in no equation.
BOOST_AUTO_TEST_CASE(a_constraint_that_a_loop_hides) {
  const Run r = run("model M Real u, v1(start = 1), v2(start = 2), v3, a, b, c, i1, i2, i3, ia, ib, w(start = 0.5); equation u = sample(1.0, " + clock_of("ImplicitEuler") +
                    "); der(w) = u - w; der(v1) = i1; der(v2) = i2; der(v3) = i3; v1 = a - b; v2 = b - c; v3 = c - a; c = 0; i1 - i3 = ia; i2 - i1 = ib; ia = w - a; ib = -b; end M;", 0.95);
  check_run(r);
  // a' = i1 + i2, b' = i2; 2 i1 + i2 = w - a, i2 - i1 = -b
  double a = 3, b = 2, w = 0.5;
  for (int k = 0; k < 10; ++k) {
    BOOST_TEST(r.at("a", k * h) == a, tolerance(1e-9));
    BOOST_TEST(r.at("b", k * h) == b, tolerance(1e-9));
    BOOST_TEST(r.at("v3", k * h) == -a, tolerance(1e-9));
    // i1 = (w - a + b)/3, i2 = (w - a - 2 b)/3: a' = (2 w - 2 a - b)/3, b' = (w - a - 2 b)/3, solved for the next a and b by Cramer
    w = (w + h) / (1 + h);
    const double p = 1 + 2 * h / 3, q = h / 3, s = a + 2 * h * w / 3, t = b + h * w / 3, d = p * p - q * q;
    a = (s * p - q * t) / d, b = (p * t - q * s) / d;
  }
}

BOOST_AUTO_TEST_CASE(a_pendulum_by_its_angle) {
  const Run r = run("model M Real phi(start = 0.5, stateSelect = StateSelect.always), w(start = 0.25, stateSelect = StateSelect.always), x, y, vx, vy, F, g; equation g = sample(9.81, " +
                    clock_of("ExplicitEuler", "Clock(1, 100)") +
                    "); der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - g; x = sin(phi); y = -cos(phi); w = der(phi); end M;", 1.995);
  check_run(r);
  double phi = 0.5, w = 0.25;
  for (int k = 0; k < 200; ++k) {
    BOOST_TEST(r.at("phi", k * 0.01) == phi, tolerance(1e-8));
    BOOST_TEST(r.at("vx", k * 0.01) == w * std::cos(phi), tolerance(1e-7));
    BOOST_TEST(r.at("F", k * 0.01) == w * w + 9.81 * std::cos(phi), tolerance(1e-8));
    const double before = w;
    w -= 0.01 * 9.81 * std::sin(phi), phi += 0.01 * before;
  }
}

BOOST_AUTO_TEST_CASE(states_do_not_change_in_clocks) {
  const auto pendulum = [](const std::string& x, const std::string& vx) {
    return "model M Real x(start = 0.6" + x + "), y(start = -0.8), vx" + vx + ", vy, F, g; equation g = sample(9.81, " + clock_of("ImplicitEuler", "Clock(1, 100)") +
           "); der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - g; x^2 + y^2 = 1; end M;";
  };
  const std::string said = complaints(pendulum("", ""));
  BOOST_TEST(said.find("error: which of `x` and `y` is a state would have to change during the run, and in a clocked partition with a solverMethod states stay what they are") != std::string::npos, said);
  BOOST_TEST(said.find("choose with stateSelect = StateSelect.always, among them and among their derivatives") != std::string::npos, said);
  const Run r = run(pendulum(", stateSelect = StateSelect.always", "(stateSelect = StateSelect.always)"), 0.305);
  check_run(r);
  for (int k = 0; k < 30; ++k) {
    const double t = k * 0.01, x = r.at("x", t), y = r.at("y", t), vx = r.at("vx", t), vy = r.at("vy", t);
    BOOST_TEST(x * x + y * y == 1, tolerance(1e-9));
    BOOST_TEST(std::abs(x * vx + y * vy) < 1e-9);
    if (k > 0) {
      const double before = (k - 1) * 0.01;
      BOOST_TEST(x == r.at("x", before) + 0.01 * vx, tolerance(1e-9));
      BOOST_TEST(vx == r.at("vx", before) - 0.01 * r.at("F", t) * x, tolerance(1e-9));
    }
  }
}

// As in continuous time stateSelect asks for states where there are no constraints, too: T of a content T^2.
BOOST_AUTO_TEST_CASE(a_variable_that_is_a_state_always) {
  const Run r = run("model M Real U(start = 99), T(start = 2, stateSelect = StateSelect.always), q; equation q = sample(1.0, " + clock_of("ExplicitEuler") + "); U = T^2; der(U) = q - T; end M;", 0.95);
  check_run(r);
  double T = 2;
  for (int k = 0; k < 10; ++k) {
    BOOST_TEST(r.at("T", k * h) == T, tolerance(1e-9));
    BOOST_TEST(r.at("U", k * h) == T * T, tolerance(1e-9));
    T += h * (1 - T) / (2 * T);
  }
  const std::string said = complaints("model M Real u(stateSelect = StateSelect.always), x; equation u = sample(time, " + clock_of("ExplicitEuler") + "); der(x) = u; end M;");
  BOOST_TEST(said.find("has values at the ticks of a clock alone, and no derivative") != std::string::npos, said);
  BOOST_TEST(said.find("note: `u` has stateSelect = StateSelect.always") != std::string::npos, said);
}

// What is preferred is no state where it would need the derivative of what is sampled: neither the velocity v, nor T of m*T.
BOOST_AUTO_TEST_CASE(preferences_that_cannot_be_met) {
  const Run r = run("model M Real u, x(start = 1, stateSelect = StateSelect.prefer), v(stateSelect = StateSelect.prefer), w, y, U(start = 6), m, T(stateSelect = StateSelect.prefer), p(start = 1), q, f; equation u = sample(time, " +
                    clock_of("ExplicitEuler") + "); der(x) = v; v = u; w = 2*x; y = der(w); m = 2 + u; U = m*T; der(U) = -T; der(p) = -p + f; der(q) = u - f; p = q; end M;", 0.95);
  check_run(r);
  double x = 1, U = 6;
  for (int k = 0; k < 10; ++k) {
    const double u = k * h;
    BOOST_TEST(r.at("x", u) == x, tolerance(1e-9));
    BOOST_TEST(r.at("y", u) == 2 * u, tolerance(1e-9));
    BOOST_TEST(r.at("U", u) == U, tolerance(1e-9));
    x += h * u, U -= h * U / (2 + u);
  }
}

BOOST_AUTO_TEST_CASE(what_comes_from_elsewhere_has_no_derivative) {
  for (const std::string method : methods) {
    const std::string said = complaints("model M Real u, w, s, v, F; equation u = sample(time, " + clock_of(method) + "); der(w) = u - w; der(s) = v; der(v) = F; s = w; end M;");
    BOOST_TEST(said.find("` has values at the ticks of a clock alone, and no derivative; u = sample(time, ") != std::string::npos, said);
    BOOST_TEST(said.find("must be differentiated to reduce the index") != std::string::npos, said);
    BOOST_TEST(said.find("let a filter follow it in the partition, of as high an order as derivatives are needed") != std::string::npos, said);
    BOOST_TEST(said.find("note: s = w ties states together (higher index)") != std::string::npos, said);
  }
  const auto of = [](const std::string& more, const std::string& y) {
    return complaints("model M Real u, x(start = 1), w, f, y; equation u = sample(time, " + clock_of("ImplicitEuler") + "); der(x) = u - x; der(y) = f; y = " + y + "; " + more + " end M;");
  };
  const std::string previous = of("w = 2*x;", "previous(w)");
  BOOST_TEST(previous.find("error: `previous(w)` has values at the ticks of a clock alone, and no derivative") != std::string::npos, previous);
  const std::string when = of("when Clock() then w = 2*x; end when;", "w");
  BOOST_TEST(when.find("error: `w` has values at the ticks of a clock alone, and no derivative") != std::string::npos, when);
  const std::string slow = of("w = subSample(u, 2);", "superSample(w, 2)");
  BOOST_TEST(slow.find("error: `w` has values at the ticks of a clock alone, and no derivative") != std::string::npos, slow);
  const std::string algorithm = of("algorithm w := 2*x;", "w");
  BOOST_TEST(algorithm.find("error: `w`, which an algorithm of a clocked partition assigns, has no derivative") != std::string::npos, algorithm);
  BOOST_TEST(algorithm.find("remedy: write an equation for it") != std::string::npos, algorithm);
  const std::string at_once = complaints("model M Real u, y; equation u = time; y = der(sample(u, " + clock_of("ImplicitEuler") + ")); end M;");
  BOOST_TEST(at_once.find("remedy: let a filter follow it in a partition with a solverMethod, and differentiate what comes out of that") != std::string::npos, at_once);
  // An interval that does not change has one, another has not.
  const auto scaled = [](const std::string& clock) {
    return "model M Real u, x(start = 1), f, y; equation u = sample(time, " + clock_of("ExplicitEuler", clock) + "); der(x) = u - x; der(y) = f; y = 2*interval(u)*x; end M;";
  };
  const Run r = run(scaled("Clock(1, 10)"), 0.25);
  check_run(r);
  BOOST_TEST(r.at("f", 0.1) == 2 * h * (0.1 - r.at("x", 0.1)), tolerance(1e-9));
  const std::string event = complaints(scaled("Clock(sin(9*time) > 0)"));
  BOOST_TEST(event.find("`interval()` has values at the ticks of a clock alone, and no derivative") != std::string::npos, event);
}

// Algorithms, when-clauses, previous() and values from other clocks may stand beside constraints.
BOOST_AUTO_TEST_CASE(the_rest_of_the_partition_stays_as_it_is) {
  const Run r = run("model M Real z(start = 1, fixed = true), u, x(start = 1), y, f, k, a, d; Integer n(start = 0); equation der(z) = -z; u = sample(der(z), " + clock_of("ExplicitEuler") +
                    "); der(x) = -x + f + k; der(y) = -3*y + u - f + a; x = y; k = previous(k) + interval(u); when Clock() then n = previous(n) + 1; end when; algorithm a := 2*x; d := der(y); end M;",
                    0.95, 1e-10);
  check_run(r);
  double x = 1;
  for (int k = 0; k < 10; ++k) {
    const double slope = (-4 * x + (k + 1) * h + 2 * x - std::exp(-k * h)) / 2;
    BOOST_TEST(r.at("x", k * h) == x, tolerance(1e-7));
    BOOST_TEST(r.at("d", k * h) == slope, tolerance(1e-6));
    x += h * slope;
  }
}

BOOST_AUTO_TEST_CASE(each_partition_by_itself) {
  const Run r = run("model M Real u, x(start = 1), y, f, r, x2, y2(start = 3), f2, v, p(start = 2), q, g; equation u = sample(time, " + clock_of("ExplicitEuler") +
                    "); der(x) = -x + f; der(y) = -3*y + u - f; x = y; r = subSample(x, 2); der(x2) = -x2 + f2 + r; der(y2) = -y2 - f2; x2 = y2 + 1; v = sample(time, " +
                    clock_of("ImplicitEuler", "Clock(0.15)") + "); der(p) = -p + g; der(q) = -3*q + v - g; p = q; end M;", 0.95);
  check_run(r);
  const auto x = linear("ExplicitEuler", 1, -2, 0.5, [](int k) { return k * h; }, 10);
  follow(r, "y", 10, [&](int k) { return x[k]; });
  const auto p = linear("ImplicitEuler", 2, -2, 0.5, [](int k) { return k * 0.15; }, 6, 0.15);
  follow(r, "q", 6, [&](int k) { return p[k]; }, 0.15);
  // 2 y2' = -2 y2 - 1 + r at every second tick
  double y = 3;
  for (int k = 0; k < 5; ++k) {
    BOOST_TEST(r.at("y2", 2 * k * h) == y, tolerance(1e-9));
    BOOST_TEST(r.at("x2", 2 * k * h) == y + 1, tolerance(1e-9));
    y += 2 * h * (-y - 0.5 + x[2 * k] / 2);
  }
}

BOOST_AUTO_TEST_CASE(the_interval_of_an_event_clock_varies) {
  const Run r = run("model M Real u, x(start = 1), y, f, dt; equation u = sample(time, " + clock_of("ExplicitEuler", "Clock(sin(9*time^2) > 0)") +
                    "); der(x) = -x + f; der(y) = -3*y + u - f; x = y; dt = interval(u); end M;", 3, 1e-9);
  check_run(r);
  const auto times = r.event_times();
  double x = 1, slope = 0;
  int ticks = 0;
  for (const double t : times) {
    if (r.at("u", t) != t) continue;
    if (ticks++ > 0) x += r.at("dt", t) * slope;
    BOOST_TEST(r.at("x", t) == x, tolerance(1e-9));
    slope = (-4 * x + t) / 2;
  }
  BOOST_TEST(ticks > 10);
}

BOOST_AUTO_TEST_CASE(constraints_and_state_machines) {
  const auto model = [](const std::string& state, const std::string& outside) {
    return "model M block W Real x(start = 1); " + state + " end W; block Z end Z; W w; Z z; Clock c = " + clock_of("ImplicitEuler", "Clock(1, 2)") +
           "; Real u, p(start = 1), q, f; equation u = sample(time, c); initialState(w); transition(w, z, ticksInState() >= 3 and u >= 0, immediate = false); " + outside + " end M;";
  };
  // Beside one: w.x decays until the third tick and stays.
  const Run r = run(model("equation der(x) = -x;", "der(p) = -p + f + w.x; der(q) = -q - f; p = q;"), 3.25);
  check_run(r);
  double x = 1, p = 1;
  for (int k = 0; k < 6; ++k) {
    if (k > 0) {
      if (k < 3) x /= 1.5;
      p = (p + 0.25 * x) / 1.5;
    }
    BOOST_TEST(r.at("w.x", k * 0.5) == x, tolerance(1e-9));
    BOOST_TEST(r.at("q", k * 0.5) == p, tolerance(1e-9));
  }
  // In one: a variable there stands still, and begins anew.
  const std::string within = complaints(model("Real y(start = 3), f; equation der(x) = -x + f; der(y) = -y - f; x = y;", "der(p) = u; p = q; f = 0;"));
  BOOST_TEST(within.find("error: `w.x` stands in a state of a state machine, and a constraint ties it to others: its index cannot be reduced there") != std::string::npos, within);
  const std::string tied = complaints(model("equation der(x) = -x;", "der(p) = -p + f; f = u + q; p = w.x;"));
  BOOST_TEST(tied.find("error: `w.x` stands in a state of a state machine") != std::string::npos, tied);
}

// Nor do constraints in a clock make an initial system of continuous time less strict.
BOOST_AUTO_TEST_CASE(constraints_in_a_clock_say_nothing_of_initial_values) {
  const std::string said = complaints("model M Real z(start = 1, fixed = true), u, x(start = 1), y, f; initial equation z = 2; equation der(z) = -z; u = sample(time, " + clock_of("ExplicitEuler") +
                                      "); der(x) = -x + f; der(y) = -3*y + u - f; x = y; end M;");
  BOOST_TEST(said.find("error") != std::string::npos, said);
  BOOST_TEST(said.find("constraints between states") == std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(any_equation_may_stand_in_a_clocked_when) {
  const Run r = run("model M model S Real x; end S; S a; Real y, q[2], z, s(start = 0), b, c, u = 3*time; equation when Clock(0.25) then a.x + y = previous(s); a.x - y = 1;"
                    "{1, 2}*z = q; z = a.x; s = previous(s) + 1; s = b + c; s = b - c + 2; end when; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (int k = 0; k < 4; ++k) {   // s = k + 1 at tick k
    const double t = 0.25 * k + 0.1;
    BOOST_TEST(r.at("a.x", t) == (k + 1) / 2.0);
    BOOST_TEST(r.at("y", t) == (k - 1) / 2.0);
    BOOST_TEST(r.at("q[2]", t) == k + 1);
    BOOST_TEST(r.at("b", t) == k);
    BOOST_TEST(r.at("c", t) == 1);
  }
  const Run unclocked = run("model M Real x, y; equation when time > 0.5 then x + y = 0; x - y = 0; end when; end M;");
  BOOST_TEST(unclocked.diagnostics.find("an equation in a when-equation has a variable alone on its left side") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
