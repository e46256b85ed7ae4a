#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::parser;
using test::body;
using test::Parsed;

BOOST_AUTO_TEST_SUITE(equations)

BOOST_AUTO_TEST_CASE(simple_equations) {
  BOOST_TEST(body("equation a + b = if c then 1 else 2 \"d\" annotation(e);") ==
             "equation-section\n  simple-equation\n    binary\n      component-reference a\n      +\n"
             "      component-reference b\n"
             "    if-expression\n      if\n        component-reference c\n      then\n        integer 1\n"
             "      else\n        integer 2\n"
             "    description \"d\"\n    annotation\n      class-modification\n        element-modification e\n");
  BOOST_TEST(body("equation (a, , b) = f(c); der(x) = 1; -x = 2; initial() = true; {x} = [1];").find("no tree") ==
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(calls) {
  BOOST_TEST(body("equation assert(a, \"b\"); A.f();") ==
             "equation-section\n"
             "  call-equation\n    function-call\n      component-reference assert\n      component-reference a\n"
             "      string \"b\"\n"
             "  call-equation\n    function-call\n      component-reference A.f\n");
}

BOOST_AUTO_TEST_CASE(if_equations) {
  BOOST_TEST(body("equation if a then x = 1; y = 2; elseif b then elseif c then z = 3; else w = 4; end if \"d\";") ==
             "equation-section\n  if-equation\n"
             "    if\n      component-reference a\n      then\n"
             "        simple-equation\n          component-reference x\n          integer 1\n"
             "        simple-equation\n          component-reference y\n          integer 2\n"
             "    elseif\n      component-reference b\n      then\n"
             "    elseif\n      component-reference c\n      then\n"
             "        simple-equation\n          component-reference z\n          integer 3\n"
             "    else\n      then\n        simple-equation\n          component-reference w\n          integer 4\n"
             "    description \"d\"\n");
}

BOOST_AUTO_TEST_CASE(nested_ifs) {
  BOOST_TEST(body("equation if a then if b then x = 1; end if; else if c then y = 2; end if; end if;") ==
             "equation-section\n  if-equation\n"
             "    if\n      component-reference a\n      then\n        if-equation\n"
             "          if\n            component-reference b\n            then\n"
             "              simple-equation\n                component-reference x\n                integer 1\n"
             "    else\n      then\n        if-equation\n"
             "          if\n            component-reference c\n            then\n"
             "              simple-equation\n                component-reference y\n                integer 2\n");
}

BOOST_AUTO_TEST_CASE(for_equations) {
  BOOST_TEST(body("equation for i in 1:2, j loop x[i] = j; end for;") ==
             "equation-section\n  for-equation\n    for-index i\n      range\n        integer 1\n        integer 2\n"
             "    for-index j\n    loop\n      simple-equation\n        component-reference x[]\n"
             "          array-subscripts\n            component-reference i\n        component-reference j\n");
}

BOOST_AUTO_TEST_CASE(when_equations) {
  BOOST_TEST(body("equation when {a, initial()} then reinit(x, 1); elsewhen b then end when;") ==
             "equation-section\n  when-equation\n"
             "    when\n      array\n        component-reference a\n        function-call\n"
             "          component-reference initial\n      then\n"
             "        call-equation\n          function-call\n            component-reference reinit\n"
             "            component-reference x\n            integer 1\n"
             "    elsewhen\n      component-reference b\n      then\n");
}

BOOST_AUTO_TEST_CASE(connect_equations) {
  BOOST_TEST(body("equation connect(a.b[1], .c) annotation(Line());") ==
             "equation-section\n  connect-equation\n    component-reference a.b[]\n      array-subscripts\n"
             "        integer 1\n    component-reference .c\n"
             "    annotation\n      class-modification\n        element-modification Line\n"
             "          modification\n            class-modification\n");
}

BOOST_AUTO_TEST_CASE(branch_places) {
  const Parsed p("model M equation if a then elseif b then else end if; when c then elsewhen d then end when; end M;");
  BOOST_REQUIRE(p.tree.has_value());
  const auto& section =
      std::get<EquationSection>(std::get<LongClassSpecifier>(p.tree->classes[0]->specifier).composition.sections[0]);
  const auto& branches = std::get<IfEquation>(section.equations[0].node).branches;
  BOOST_TEST(p.text(branches[0].place) == "if");
  BOOST_TEST(p.text(branches[1].place) == "elseif");
  BOOST_TEST(p.text(branches[2].place) == "else");
  BOOST_TEST(p.text(section.equations[0].place) == "if a then elseif b then else end if");
  const auto& whens = std::get<WhenEquation>(section.equations[1].node).branches;
  BOOST_TEST(p.text(whens[0].place) == "when");
  BOOST_TEST(p.text(whens[1].place) == "elsewhen");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(statements)

BOOST_AUTO_TEST_CASE(assignments) {
  BOOST_TEST(
      body("algorithm a.b[1] := 1 \"d\"; der(x) := 2; (a, , b) := f(c); () := g(); (x) := h();") ==
      "algorithm-section\n"
      "  assignment\n    component-reference a.b[]\n      array-subscripts\n        integer 1\n    integer 1\n"
      "    description \"d\"\n"
      "  assignment der\n    component-reference x\n    integer 2\n"
      "  multiple-assignment\n    output-expression-list\n      component-reference a\n      (left out)\n"
      "      component-reference b\n    function-call\n      component-reference f\n      component-reference c\n"
      "  multiple-assignment\n    output-expression-list\n    function-call\n      component-reference g\n"
      "  multiple-assignment\n    output-expression-list\n      component-reference x\n"
      "    function-call\n      component-reference h\n");
}

BOOST_AUTO_TEST_CASE(calls_break_and_return) {
  BOOST_TEST(body("algorithm f(1); break; return \"r\";") ==
             "algorithm-section\n  call-statement\n    function-call\n      component-reference f\n      integer 1\n"
             "  break\n  return\n    description \"r\"\n");
}

BOOST_AUTO_TEST_CASE(blocks) {
  BOOST_TEST(body("algorithm if a then x := 1; elseif b then else y := 2; end if;"
                  "for i in 1:2 loop while c loop break; end while; end for; when d then elsewhen e then end when;") ==
             "algorithm-section\n"
             "  if-statement\n    if\n      component-reference a\n      then\n        assignment\n"
             "          component-reference x\n          integer 1\n"
             "    elseif\n      component-reference b\n      then\n"
             "    else\n      then\n        assignment\n          component-reference y\n          integer 2\n"
             "  for-statement\n    for-index i\n      range\n        integer 1\n        integer 2\n"
             "    loop\n      while-statement\n        component-reference c\n        loop\n          break\n"
             "  when-statement\n    when\n      component-reference d\n      then\n"
             "    elsewhen\n      component-reference e\n      then\n");
}

BOOST_AUTO_TEST_SUITE_END()
