// Models as linear systems, against closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

void check(const std::vector<double>& found, const std::vector<double>& expected, double within = 1e-12) {
  BOOST_REQUIRE_EQUAL(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) BOOST_TEST(std::abs(found[k] - expected[k]) <= within, "number " << k << " is " << found[k] << ", not " << expected[k]);
}

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(linearize)

BOOST_AUTO_TEST_CASE(a_linear_circuit) {
  // R, L and C in series: L di/dt = u - R i - v, C dv/dt = i, whatever the time.
  const auto m = compiled(
      "model Circuit input Real u(start = 2); output Real y = v; output Real loss = R*i; parameter Real R = 3, L = 0.5, C = 0.25;"
      " Real i(start = 1, fixed = true), v(start = -1, fixed = true); equation L*der(i) = u - R*i - v; C*der(v) = i; end Circuit;");
  const Linearization l = m->linearize(0.7);
  BOOST_TEST(l.diagnostics.empty());
  BOOST_TEST(l.time == 0.7);
  BOOST_TEST(l.states == (Names{"i", "v"}), boost::test_tools::per_element());
  BOOST_TEST(l.inputs == Names{"u"}, boost::test_tools::per_element());
  BOOST_TEST(l.outputs == (Names{"y", "loss"}), boost::test_tools::per_element());
  check(l.a, {-3 / 0.5, -1 / 0.5, 1 / 0.25, 0});
  check(l.b, {1 / 0.5, 0});
  check(l.c, {0, 1, 3, 0});
  check(l.d, {0, 0});
  check(l.u, {2});
  BOOST_TEST(l.y[0] == l.x[1]);
  BOOST_TEST(std::abs(l.der_x[1] - l.x[0] / 0.25) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_pendulum) {
  // phi'' = -g/l sin phi - d phi' + u: at rest below and above, and at a deflection that a torque holds.
  const char* const text = "model Pendulum input Real u; output Real height = -l*cos(phi); parameter Real g = 9.81, l = 2, d = 0.1, phi0 = 0;"
                           " Real phi(start = phi0, fixed = true), w(start = 0, fixed = true); equation der(phi) = w; der(w) = -g/l*sin(phi) - d*w + u; end Pendulum;";
  Session s;
  s.read_text("m.mo", text);
  for (const double phi : {0.0, 3.141592653589793, 0.8}) {
    const auto m = s.compile("Pendulum", {"phi0 = " + std::to_string(phi)});
    BOOST_REQUIRE(m);
    const Linearization l = m->linearize(0);
    const double at = l.x[0];   // std::to_string rounds
    check(l.a, {0, 1, -9.81 / 2 * std::cos(at), -0.1});
    check(l.b, {0, 1});
    check(l.c, {2 * std::sin(at), 0});
    check(l.d, {0});
  }
}

BOOST_AUTO_TEST_CASE(an_algebraic_loop) {
  // y + y^3 = x + 2u in the loop, so that dy = (dx + 2 du) / (1 + 3 y^2).
  const auto m = compiled("model Loop input Real u(start = 0.5); output Real y(start = 1); Real x(start = 9, fixed = true); Real z; equation der(x) = -z; z = 2*y + u; y + y^3 = x + 2*u; end Loop;");
  const Linearization l = m->linearize(0);
  BOOST_TEST_REQUIRE(l.diagnostics.empty());
  check(l.y, {2}, 1e-9);
  check(l.a, {-2.0 / 13}, 1e-9);
  check(l.b, {-4.0 / 13 - 1}, 1e-9);
  check(l.c, {1.0 / 13}, 1e-9);
  check(l.d, {2.0 / 13}, 1e-9);
}

BOOST_AUTO_TEST_CASE(a_linear_loop_of_many) {
  // A chain of twelve resistors is one linear block, and there are more directions than one pass has.
  const auto m = compiled("model Chain input Real u[10]; output Real s; Real v[12]; Real x(start = 0, fixed = true); equation der(x) = v[12] - x; s = sum(v); v[1] = x;"
                          " for k in 2:11 loop v[k] = 0.5*(v[k - 1] + v[k + 1]) + u[k - 1]; end for; v[12] = 0; end Chain;");
  const Linearization l = m->linearize(0);
  BOOST_TEST_REQUIRE(l.diagnostics.empty());
  // v is linear from x to 0, and u[j] adds Green's function of -0.5 v'': 2 min(a, b) (11 - max(a, b)) / 11 with a, b from 1 to 10.
  check(l.a, {-1});
  check(l.c, {6});
  std::vector<double> expected;
  for (int j = 1; j <= 10; ++j) {
    double sum = 0;
    for (int k = 1; k <= 10; ++k) sum += 2.0 * std::min(j, k) * (11 - std::max(j, k)) / 11;
    expected.push_back(sum);
  }
  check(l.d, expected, 1e-10);
  check(l.b, std::vector<double>(10, 0.0));
}

BOOST_AUTO_TEST_CASE(aliases_with_a_sign) {
  const auto m = compiled("model Signs input Real u; output Real y; output Real minus_u = -u; Real x(start = 1, fixed = true); equation der(x) = -2*x + 3*u; y = -x; end Signs;");
  const Linearization l = m->linearize(0);
  check(l.a, {-2});
  check(l.b, {3});
  check(l.c, {-1, 0});
  check(l.d, {0, -1});
}

BOOST_AUTO_TEST_CASE(what_depends_on_inputs_alone) {
  const auto m = compiled("model Gain input Real u(start = 3), v; output Real y = 2*u + w; Real w = u*u; Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);"
                          " equation der(x) = -2*x + 3*w + v; when u > 5 then n = pre(n) + 1; end when; end Gain;");
  const Linearization l = m->linearize(0.5);
  check(l.a, {-2});
  check(l.b, {3 * 2 * 3, 1});
  check(l.c, {0});
  check(l.d, {2 + 6, 0});
  // A run goes on as if nobody had looked.
  Run one = m->start({.stop = 2}), other = m->start({.stop = 2});
  for (Run* r : {&one, &other}) {
    (void)r->advance_to(0.7);
    (void)r->set("u", 6);
    if (r == &one) check(one.linearize().b, {3 * 2 * 6, 1});
    (void)r->advance_to(2);
    BOOST_TEST(r->get("n") == 1);
  }
  BOOST_TEST(one.finish().rows == other.finish().rows);
}

BOOST_AUTO_TEST_CASE(on_the_side_that_a_relation_says) {
  const auto m = compiled("model Valve input Real u(start = 1); Real x(start = 1, fixed = true); Boolean open(start = true, fixed = true); equation der(x) = if open then -x + u else -5*x;"
                          " when time > 1 then open = false; end when; end Valve;");
  check(m->linearize(0.5).a, {-1});
  check(m->linearize(0.5).b, {1});
  check(m->linearize(1.5).a, {-5});
  check(m->linearize(1.5).b, {0});
  Run run = m->start({.stop = 2});
  (void)run.advance_to(0.5);
  check(run.linearize().a, {-1});
  (void)run.advance_to(2);
  check(run.linearize().a, {-5});
  BOOST_CHECK(run.finish().ending == Ending::stop_time);
}

BOOST_AUTO_TEST_CASE(where_there_is_none) {
  const auto ends = compiled("model Ends Real x(start = 0, fixed = true); equation der(x) = 1; when x > 1 then terminate(\"done\"); end when; end Ends;");
  const Linearization early = ends->linearize(3);
  BOOST_TEST(early.a.empty());
  BOOST_REQUIRE(!early.diagnostics.empty());
  BOOST_TEST(early.diagnostics.back().cause.find("ended here, before 3 s") != std::string::npos);
  const auto fails = compiled("model Fails Real x(start = 1, fixed = true); equation der(x) = -1; assert(x > 0.5, \"too small\"); end Fails;");
  const Linearization failed = fails->linearize(1);
  BOOST_TEST(failed.a.empty());
  BOOST_REQUIRE(!failed.diagnostics.empty());
  BOOST_CHECK(failed.diagnostics.back().severity == Severity::error);
  BOOST_CHECK_THROW((void)ends->linearize(-1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_infinite_slope_is_none) {
  for (const char* f : {"sqrt(x)", "x^0.3", "asin(1 - x)", "acos(x - 1)"}) {
    const auto m = compiled(std::string("model M Real x(start = 0, fixed = true), z(start = 0, fixed = true); equation der(x) = 1; der(z) = ") + f + "; end M;");
    const Linearization l = m->linearize(0);
    BOOST_REQUIRE_MESSAGE(l.diagnostics.size() == 1, f);
    BOOST_TEST(l.diagnostics[0].cause.find("its slope is infinite") != std::string::npos);
    BOOST_TEST(l.diagnostics[0].place.line == 1u);
    BOOST_TEST(l.a.empty());
    BOOST_TEST(m->linearize(0.5).diagnostics.empty());
  }
  // Of what is constant no slope is asked.
  BOOST_TEST(compiled("model M parameter Real p = 0; Real x(start = 1, fixed = true); equation der(x) = -x + sqrt(p); end M;")->linearize(0).a[0] == -1);
}

BOOST_AUTO_TEST_CASE(states_that_are_chosen_during_the_run) {
  // A pendulum in x and y: which of them is the state changes. At rest below it is x, with x'' = -g/l x.
  const auto m = compiled("model XY parameter Real g = 9.81, l = 2; Real x(start = 0), y(start = -2), vx(start = 0), vy, f; equation der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - g; x^2 + y^2 = l^2; end XY;");
  const Linearization l = m->linearize(0);
  BOOST_TEST_REQUIRE(l.diagnostics.empty());
  BOOST_REQUIRE_EQUAL(l.states.size(), 2u);
  std::vector<std::string> names = l.states;
  std::sort(names.begin(), names.end());
  BOOST_TEST(names == (Names{"vx", "x"}), boost::test_tools::per_element());
  const std::size_t x = l.states[0] == "x" ? 0 : 1, vx = 1 - x;
  BOOST_TEST(std::abs(l.a[vx * 2 + x] + 9.81 / 2) < 1e-9);
  BOOST_TEST(std::abs(l.a[x * 2 + vx] - 1) < 1e-9);
  BOOST_TEST(std::abs(l.a[x * 2 + x]) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
