// Start expressions may depend on parameters with fixed = false, which are unknowns of the initial system (MLS 8.6): they are
// evaluated within it. Which root is found shows from where the search began; the roots are in closed form.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

void check(const std::string& declarations, const std::string& equations, const std::vector<std::pair<const char*, double>>& values) {
  const std::string text = "model M parameter Real p(fixed = false), q(fixed = false), twice = 2*p; " + declarations + " equation " + equations + " initial equation q = p - 3; p = -1; end M;";
  const Run r = run(text, 1, 1e-6, 1);
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(r.ended(), r.diagnostics + r.message());
    for (const auto& [name, value] : values) BOOST_TEST(r.initial(name) == value, tolerance(1e-6));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(start_values)

BOOST_AUTO_TEST_CASE(a_start_value_that_is_found_chooses_the_root) {
  check("Real x(start = p);", "x^2 = 4;", {{"x", -2}});
  check("Real x(start = -p);", "x^2 = 4;", {{"x", 2}});
  check("Real x(start = twice + q);", "x^3 - 9*x = 0;", {{"x", -3}});
  check("Real x(start = exp(p));", "x^2 = 4;", {{"x", 2}});
  check("Real x(start = -p), y(start = p);", "x^2 + y^2 = 2; x*y = -1;", {{"x", 1}, {"y", -1}});
  check("Real x[2](start = {p, -p});", "{x[1]^2, x[2]^2} = {4, 9};", {{"x[1]", -2}, {"x[2]", 3}});
}

BOOST_AUTO_TEST_CASE(start_values_follow_one_another) {
  // r = -2 is found from q = -4, and x = -4 from 2*r.
  const Run r = run("model M Real x(start = 2*r), found = r; parameter Real r(fixed = false, start = q), q(fixed = false, start = 7); equation x^2 = 16; "
                    "initial equation r^2 = 4; q = -4; end M;", 0.1, 1e-6, 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.initial("found") == -2, tolerance(1e-6));
  BOOST_TEST(r.initial("x") == -4, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(in_a_circle_the_start_values_of_the_others_stand_in) {
  const Run r = run("model M Real x(start = p), found = p; parameter Real p(fixed = false, start = -3); equation x^2 = 4; initial equation p = x + 1; end M;", 0.1, 1e-6, 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.initial("x") == -2, tolerance(1e-6));
  BOOST_TEST(r.initial("found") == -1, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_keeps_its_start_value_has_it) {
  check("Real x(start = twice), y(start = twice, fixed = true); input Real u(start = q); discrete Real d(start = q); Integer n(start = integer(q), fixed = true);",
        "der(x) = 0; der(y) = 1; when time > 0.5 then d = pre(d) + 1; n = pre(n) + 1; end when;", {{"x", -2}, {"y", -2}, {"u", -4}, {"d", -4}, {"n", -4}});
  const Run clocked = run("model M parameter Real p(fixed = false); Real c(start = p), y; initial equation 2*p = 6; equation when Clock(0.25) then c = previous(c) + 1; end when; y = hold(c); end M;", 0.6);
  BOOST_REQUIRE_MESSAGE(clocked.ended(), clocked.diagnostics);
  BOOST_TEST(clocked.final("c") == 6);   // ticks at 0, 0.25 and 0.5
}

BOOST_AUTO_TEST_CASE(relations_around_it_are_solved_with_it) {
  // The relation is false at first: the search goes over 3 or -3 to 2 or -2.
  const auto s = [](const std::string& p) {
    const Run r = run("model M parameter Real p(fixed = false); Real s(start = p); equation s^2 = (if s^2 > 1 then 4 else 9); initial equation p^3 = " + p + "; end M;", 0.1, 1e-6, 1);
    BOOST_TEST(r.ended(), r.diagnostics + r.message());
    return r.initial("s");
  };
  BOOST_TEST(s("27") == 2, tolerance(1e-6));
  BOOST_TEST(s("-27") == -2, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(the_record_of_initialisation_has_it) {
  const Run r = run("model M parameter Real p(fixed = false); Real x(start = 2*p); equation der(x) = 1; initial equation p = 3; x = 5; end M;", 0.1, 1e-6, 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  const auto& changes = r.result.events.front().initialised;
  BOOST_TEST(std::any_of(changes.begin(), changes.end(), [&](const auto& c) { return r.program.variables[c.variable].name == "x" && c.before == 6 && c.after == 5; }));
}

// Of two solutions the one is meant that a start value is near to, whichever variable of the system is guessed.
BOOST_AUTO_TEST_CASE(of_what_follows_from_the_guess) {
  // x^2 + y^2 = 13, x = 2*y + 1 : y = 1.2 or -2
  for (const char* rest : {"x^2 + y^2 = 13;",                                      // x, or y
                           "z = x*x; w = y*y; z + w + 0*y*x*w = 13;",
                           "z = y^2; x^2 + z + 0*sin(y) = 13;",                    // y stands in more equations
                           "z = y^2; w = y + z; x^2 + w - y + 0*sin(y)*cos(y) = 13;"})
    for (const double side : {-1.0, 1.0})
      for (const char* start : {"start = 3*side", "start = s"}) {
        const std::string text = std::string("model M parameter Real side = ") + (side < 0 ? "-1" : "1") + ", s = 3*side; Real x(" + start + "), y, z, w; equation x = 2*y + 1; " + rest +
                                 (std::string(rest).find("z =") == std::string::npos ? " z = 0;" : "") + (std::string(rest).find("w =") == std::string::npos ? " w = 0;" : "") + " end M;";
        const Run r = run(text);
        BOOST_REQUIRE_MESSAGE(r.ended(), text + r.diagnostics + r.message());
        BOOST_TEST(r.initial("y") == (side < 0 ? -2 : 1.2), boost::test_tools::tolerance(1e-9));
        BOOST_TEST(r.initial("x") == (side < 0 ? -3 : 3.4), boost::test_tools::tolerance(1e-9));
      }
}

// What cannot be followed backwards at a guess, a root or a logarithm, is no reason to fail.
BOOST_AUTO_TEST_CASE(that_cannot_be_followed_back) {
  const Run r = run("model M Real x(start = -1), y, z; equation x = y - sqrt(z); z = 4 + y^2 + 0*sin(y); x^2 + y^3 = 8 + x^2; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("y") == 2, boost::test_tools::tolerance(1e-9));
}

// Nor does a guess lead to where a minimum has kept it from.
BOOST_AUTO_TEST_CASE(with_a_minimum_that_is_a_start) {
  const Run r = run("model M Real x(min = 1), y(start = 0), z; equation y = 2*x; z = log(x); z + 0.1*y*y + x = 3; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double x = r.initial("x");
  BOOST_TEST(std::abs(std::log(x) + 0.4*x*x + x - 3) < 1e-9, x);
}

BOOST_AUTO_TEST_SUITE_END()
