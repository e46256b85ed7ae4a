// A variable that must not be a state (MLS 4.9.7.1), where another one may take its place.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(unwanted_states)

// r oscillates: r = (s0 + 1)*cos(time) + v0*sin(time), and s = r - 1.
BOOST_AUTO_TEST_CASE(what_an_equation_gives_takes_its_place) {
  const Run r = run("model M Real s(start = 0.5, fixed = true, stateSelect = StateSelect.never), v(start = -0.1, fixed = true, stateSelect = StateSelect.never), "
                    "a, r, vr, ar; equation v = der(s); a = der(v); r = s + 1; vr = der(r); ar = der(vr); ar = -r; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(!r.is_state("s"));
  BOOST_TEST(!r.is_state("v"));
  BOOST_TEST(std::abs(r.final("s") - (1.5 * std::cos(2.0) - 0.1 * std::sin(2.0) - 1)) < 1e-4);
}

// A free point in polar coordinates, with Cartesian states: x(t) = x0 + vx*t, y(t) = y0 + vy*t.
BOOST_AUTO_TEST_CASE(two_for_two) {
  const Run r = run("model M Real phi(start = 0.3, fixed = true, stateSelect = StateSelect.never), s(start = 1, fixed = true, stateSelect = StateSelect.never), "
                    "w(start = 0.5, fixed = true, stateSelect = StateSelect.never), v(start = 0.1, fixed = true, stateSelect = StateSelect.never), x, y, vx, vy; "
                    "equation der(phi) = w; der(s) = v; x = s*cos(phi); y = s*sin(phi); vx = der(x); vy = der(y); der(vx) = 0; der(vy) = 0; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const char* name : {"phi", "s", "w", "v"}) BOOST_TEST(!r.is_state(name));
  const double x = std::cos(0.3) + 2 * (0.1 * std::cos(0.3) - 0.5 * std::sin(0.3)), y = std::sin(0.3) + 2 * (0.1 * std::sin(0.3) + 0.5 * std::cos(0.3));
  BOOST_TEST(std::abs(r.final("s") - std::hypot(x, y)) < 1e-4);
  BOOST_TEST(std::abs(r.final("phi") - std::atan2(y, x)) < 1e-4);
}

// Where nothing else can be the state, it is said.
BOOST_AUTO_TEST_CASE(none_is_left) {
  const std::string c = complaints("model M Real s(start = 0, fixed = true, stateSelect = StateSelect.never); equation der(s) = 1; end M;");
  BOOST_TEST(c.find("has stateSelect = StateSelect.never, but der(s) makes it a state") != std::string::npos, c);
}

BOOST_AUTO_TEST_SUITE_END()
