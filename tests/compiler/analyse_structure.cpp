// Equations and unknowns that do not fit: what is said, and where.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::model;
using test::says;

BOOST_AUTO_TEST_SUITE(structure)

BOOST_AUTO_TEST_CASE(too_few_equations) {
  const auto a = model("Real x; Real y; Real z;\nequation\n x + y = 1;\n y + z = time;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "model M has 3 unknowns but 2 equations"), a.messages());
  BOOST_TEST(says(a, "2 equations for 3 variables"), a.messages());
  BOOST_TEST(says(a, "note 4: x + y = "), a.messages());
}

BOOST_AUTO_TEST_CASE(too_many_equations) {
  const auto a = model("Real x; Real y; Real free = time;\nequation\n x + y = 1;\n x - y = time;\n 2*x = 3;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "model M has 3 unknowns but 4 equations"), a.messages());
  BOOST_TEST(says(a, "is one of 3 equations for 2 variables"), a.messages());
  BOOST_TEST(!says(a, "free"), a.messages());   // has nothing to do with it
}

BOOST_AUTO_TEST_CASE(variable_in_no_equation) {
  const auto a = model("Real x; Real y;\nequation\n x = time;");
  BOOST_TEST(says(a, "model M has 2 unknowns but 1 equation"), a.messages());
  BOOST_TEST(says(a, "note 2: no equation determines `y`"), a.messages());
}

BOOST_AUTO_TEST_CASE(balanced_but_singular) {
  const auto a = model("Real x; Real y; Real z; Real u;\nequation\n x = 1;\n 2*x = 2;\n z + u = time;\n y = z;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "error 5: 2*x = 2 says the same as x = 1, so that an equation is missing for `u`, `y` and `z`"), a.messages());
  BOOST_TEST(says(a, "note 2: 2 equations for 3 variables: `u`, `y` and `z`"), a.messages());
  const auto b = model("Real x; Real y; Real z; Real u;\nequation\n x = sin(time);\n x^2 = 2;\n z + u = time;\n y = z;");
  BOOST_TEST(says(b, "as many equations as unknowns (4)"), b.messages());
  BOOST_TEST(says(b, "is one of 2 equations for 1 variable: `x`"), b.messages());
}

BOOST_AUTO_TEST_CASE(contradicting_aliases) {
  const auto a = model("Real x; Real y;\nequation\n x = y;\n y = x;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "y = x says the same as x = y"), a.messages());
}

BOOST_AUTO_TEST_CASE(state_given_twice) {
  // No differentiation helps: x and its derivative are given independently.
  const auto b = model("Real x; Real y; Real F;\nequation\n x + y = 1;\n der(x) = time;\n der(y) = 2;");
  BOOST_TEST(!b.system);
  BOOST_TEST(says(b, "ties the states"), b.messages());
  BOOST_TEST(says(b, "differentiating it does not help"), b.messages());
}

BOOST_AUTO_TEST_CASE(discrete_loop) {
  const auto a = model("Boolean a; Boolean b; Boolean c;\nequation\n a = b or c;\n b = not a;\n c = time > 1;");
  BOOST_TEST(!a.system);
  BOOST_TEST((says(a, "a -> b -> a") || says(a, "depends on itself at the same instant")), a.messages());
  BOOST_TEST(a.diagnostics[0].remedy.find("pre(") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(discrete_variable_that_depends_on_itself) {
  const auto a = model("Integer n;\nequation\n n = if n > 3 then 1 else 2;");
  BOOST_TEST(says(a, "`n` depends on itself at the same instant"), a.messages());
}

BOOST_AUTO_TEST_CASE(equation_that_cannot_be_solved_for_an_integer) {
  const auto a = model("Integer i; Integer j;\nequation\n 2*i = j;\n j = if time > 1 then 4 else 2;");
  BOOST_TEST(!a.system);
}

BOOST_AUTO_TEST_CASE(integer_moved_over) {
  const auto r = test::run("Integer i; Integer j;\nequation\n i + 1 = j;\n j = if time > 0.5 then 4 else 2;");
  BOOST_TEST(r.first("i") == 1);
  BOOST_TEST(r.last("i") == 3);
}

BOOST_AUTO_TEST_CASE(parameters) {
  BOOST_TEST(says(model("parameter Real a = 2*b;\nparameter Real b = c + 1;\nparameter Real c = a;"), "a -> b -> c -> a"));
  const auto bounds = model("parameter Real R(min = 0) = -1;");
  BOOST_TEST(says(bounds, "error 2: parameter `R` = -1 is below its minimum 0"), bounds.messages());
  BOOST_TEST(says(model("parameter Real R(max = 2) = 3;"), "is above its maximum"));
  const auto none = model("parameter Real T0;\nReal x = T0;");
  BOOST_TEST(none.system.has_value());
  BOOST_TEST(says(none, "warning 2: parameter `T0` has no value; its default value"), none.messages());
  BOOST_TEST(says(model("parameter Real T0(start = 3);"), "its start value 3"));
  BOOST_TEST(says(model("constant Real c;\nReal x = c;"), "constant `c` is used but has no value"));
  BOOST_TEST(model("constant Real c;").system.has_value());
}

BOOST_AUTO_TEST_CASE(a_when_clause_without_conditions) {
  const auto none = model("Boolean c[0]; Integer n;\nequation\n when c then n = pre(n) + 1; end when;");
  BOOST_TEST(none.system.has_value());
  BOOST_TEST(says(none, "warning 4: this when-clause has no conditions"), none.messages());
  const auto some = model("Boolean c[1]; Integer n;\nequation\n c = {time > 1}; when c then n = pre(n) + 1; end when;");
  BOOST_TEST(some.messages().find("warning") == std::string::npos, some.messages());
}

BOOST_AUTO_TEST_SUITE_END()
