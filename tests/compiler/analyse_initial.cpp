// The initial system.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::model;
using test::run;
using test::says;

BOOST_AUTO_TEST_SUITE(initial_system)

BOOST_AUTO_TEST_CASE(steady_state) {
  const auto r = run("Real x; Real y(start = 1); parameter Real a = 3;\ninitial equation\n der(x) = 0;\nequation\n der(x) = a - 2*x;\n y^3 + y "
                     "= x + 8.5;");
  BOOST_TEST(r.first("x") == 1.5, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.last("x") == 1.5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.first("y") == 2, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.program.assumed_starts.empty());
}

BOOST_AUTO_TEST_CASE(start_values_are_assumed_and_said_so) {
  const auto r = run("Real x(start = 3); Real y; Real z(start = 7, fixed = true); Real w(start = 1);\nequation\n der(x) = 0;\n der(y) = 0;\n der(z) "
                     "= 0;\n w = x + y;");
  BOOST_TEST(r.program.assumed_starts.size() == 2);
  BOOST_TEST(r.program.variables[r.program.assumed_starts[0]].name == "x");
  BOOST_TEST(r.program.variables[r.program.assumed_starts[1]].name == "y");
  BOOST_TEST(r.first("w") == 3);
}

BOOST_AUTO_TEST_CASE(states_with_a_start_come_first) {
  // One initial equation for two states: the one with a start value keeps it.
  const auto r = run("Real a; Real b(start = 2);\ninitial equation\n a + b = 5;\nequation\n der(a) = 0;\n der(b) = 0;");
  BOOST_TEST(r.first("b") == 2);
  BOOST_TEST(r.first("a") == 3);
}

BOOST_AUTO_TEST_CASE(too_many_conditions) {
  const auto a = model("Real x(start = 1, fixed = true);\ninitial equation\n x = 2;\nequation\n der(x) = -x;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "too many initial conditions"), a.messages());
  BOOST_TEST(says(a, "error 2: "), a.messages());
  BOOST_TEST(says(a, "note 4: competes with x = 2"), a.messages());
}

BOOST_AUTO_TEST_CASE(fixed_on_both_sides_of_an_alias) {
  BOOST_TEST(says(model("Real a(start = 1, fixed = true);\nReal b(start = 2, fixed = true);\nequation\n a = b;\n der(a) = 1;"),
                  "both have fixed = true with different start values"));
  BOOST_TEST(model("Real a(start = 1, fixed = true);\nReal b(start = -1, fixed = true);\nequation\n a = -b;\n der(a) = 1;").system.has_value());
}

BOOST_AUTO_TEST_CASE(free_parameter) {
  const auto r = run("parameter Real k(fixed = false, start = 1); parameter Real k2 = 2*k; Real x;\ninitial equation\n der(x) = 0;\n x = "
                     "4;\nequation\n der(x) = k2 - x;");
  BOOST_TEST(r.last("x") == 4, boost::test_tools::tolerance(1e-12));
  for (const auto& v : r.program.variables) {
    if (v.name == "k") BOOST_TEST(r.result.parameters.at(v.slot) == 2, boost::test_tools::tolerance(1e-12));
    if (v.name == "k2") BOOST_TEST(r.result.parameters.at(v.slot) == 4, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(discrete_controller_in_steady_state) {
  // MLS 8.6: y = a*pre(y) + b*u and y = pre(y) give y = b*u/(1 - a).
  const auto r = run("discrete Real y; parameter Real a = 0.5; parameter Real b = 3; Real u = 1;\ninitial equation\n y = pre(y);\nequation\n "
                     "when {initial(), sample(0.5, 0.5)} then y = a*pre(y) + b*u; end when;");
  BOOST_TEST(r.first("y") == 6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.last("y") == 6, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(discrete_value_by_initial_equation) {
  const auto r = run("Boolean on; Integer n;\ninitial equation\n on = true;\n pre(n) = 7;\nequation\n when time > 0.5 then on = not pre(on); n "
                     "= pre(n) + 1; end when;");
  BOOST_TEST(r.first("on") == 1);
  BOOST_TEST(r.first("n") == 7);
  BOOST_TEST(r.last("on") == 0);
  BOOST_TEST(r.last("n") == 8);
}

BOOST_AUTO_TEST_CASE(reinit_under_initial_is_an_initial_equation) {
  const auto r = run("parameter Real y0 = 4; parameter Boolean steady = false; Real y;\nequation\n der(y) = -y;\n when {initial(), time > "
                     "0.5} then if not steady then reinit(y, y0); end if; end when;", 0.5);
  BOOST_TEST(r.first("y") == 4);
  BOOST_TEST(r.program.assumed_starts.empty());
}

BOOST_AUTO_TEST_CASE(initial_algorithm) {
  const auto r = run("Real x; Real y;\ninitial algorithm\n x := 2;\n x := x*x + 1;\n if x > 4 then y := x + 1; else y := 0; end if;\nequation\n "
                     "der(x) = 0;\n der(y) = 0;");
  BOOST_TEST(r.first("x") == 5);
  BOOST_TEST(r.first("y") == 6);
}

BOOST_AUTO_TEST_CASE(homotopy_ends_at_the_actual_expression) {
  const auto r = run("Real x(start = 2); Real y = homotopy(x*x, x);\nequation\n der(x) = 0;");
  BOOST_TEST(r.first("y") == 4);
  BOOST_TEST(r.program.uses_homotopy);
}

BOOST_AUTO_TEST_CASE(left_limit_at_the_start) {
  const auto r = run("Real x(start = 3, fixed = true); Real s(start = 0);\nequation\n der(x) = 0;\n when initial() then s = pre(x); end when;");
  BOOST_TEST(r.first("s") == 3);
}

BOOST_AUTO_TEST_CASE(an_initial_algorithm_sets_a_parameter_that_is_not_fixed) {
  const auto r = run("parameter Real p = 2; parameter Real q(fixed = false); Real x = q*time;\ninitial algorithm\n q := 3*p;");
  BOOST_TEST(r.last("x") == 6);
  BOOST_TEST(says(model("parameter Real p = 2; Real x = p*time;\ninitial algorithm\n p := 3;"), "p is a parameter and cannot be set here"));
}

BOOST_AUTO_TEST_SUITE_END()
