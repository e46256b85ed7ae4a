// States are chosen by coefficients at the start: those of what other equations give are found from these equations.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(coefficients_at_start)

// A free point in polar coordinates by a rotation with variables of its own, whose start values nobody wrote.
BOOST_AUTO_TEST_CASE(a_rotation_with_variables_of_its_own) {
  const Run r = run("model M Real phi(start = 0.3, fixed = true, stateSelect = StateSelect.prefer), s(start = 1, fixed = true, stateSelect = StateSelect.prefer), "
                    "w(start = 0.5, fixed = true, stateSelect = StateSelect.prefer), v(start = 0.1, fixed = true, stateSelect = StateSelect.prefer), T[2], "
                    "x(stateSelect = StateSelect.always), y(stateSelect = StateSelect.always), vx(stateSelect = StateSelect.always), vy(stateSelect = StateSelect.always); "
                    "equation w = der(phi); v = der(s); T = {cos(phi), sin(phi)}; {x, y} = T*s; vx = der(x); vy = der(y); der(vx) = 0; der(vy) = 0; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const char* name : {"x", "y", "vx", "vy"}) BOOST_TEST(r.is_state(name));
  const double x = std::cos(0.3) + 2 * (0.1 * std::cos(0.3) - 0.5 * std::sin(0.3)), y = std::sin(0.3) + 2 * (0.1 * std::sin(0.3) + 0.5 * std::cos(0.3));
  BOOST_TEST(std::abs(r.final("s") - std::hypot(x, y)) < 1e-4);
  BOOST_TEST(std::abs(r.final("phi") - std::atan2(y, x)) < 1e-4);
}

// A slide along the first axis of a frame that is given by equations: the other two coordinates have coefficients that are 0.
BOOST_AUTO_TEST_CASE(a_slide_whose_axis_is_given_by_equations) {
  const Run r = run("model M Real s(start = 0.5, fixed = true, stateSelect = StateSelect.never), v(start = -0.1, fixed = true, stateSelect = StateSelect.never), a, "
                    "T[3, 3], angle, r[3], vr[3], ar[3], f[3]; parameter Real n[3] = {1, 0, 0}; equation angle = 0; "
                    "T = [cos(angle), sin(angle), 0; -sin(angle), cos(angle), 0; 0, 0, 1]; v = der(s); a = der(v); r = transpose(T)*(n*s); "
                    "vr = der(r); ar = der(vr); f = ar + r; f*n = 0; end M;", 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(!r.is_state("s"));
  BOOST_TEST(!r.is_state("v"));
  BOOST_TEST(std::abs(r.final("s") - (0.5 * std::cos(2.0) - 0.1 * std::sin(2.0))) < 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()
