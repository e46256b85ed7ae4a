// Operators of operator records (MLS 14).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(operators)

const std::string number =
    "operator record Z Real re; Real im;"
    "  encapsulated operator 'constructor' import Z; function real input Real re; input Real im = 0; output Z z(re = re, im = im); algorithm end real; end 'constructor';"
    "  encapsulated operator function '+' import Z; input Z a; input Z b; output Z c; algorithm c := Z(a.re + b.re, a.im + b.im); end '+';"
    "  encapsulated operator function '*' import Z; input Z a; input Z b; output Z c;"
    "    algorithm c := Z(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end '*';"
    "  encapsulated operator '-' import Z; function negate input Z a; output Z c; algorithm c := Z(-a.re, -a.im); end negate;"
    "    function subtract input Z a; input Z b; output Z c; algorithm c := Z(a.re - b.re, a.im - b.im); end subtract; end '-';"
    "  encapsulated operator function '==' import Z; input Z a; input Z b; output Boolean c; algorithm c := a.re == b.re and a.im == b.im; end '==';"
    "end Z;";

BOOST_AUTO_TEST_CASE(operators_are_the_functions_of_the_record) {
  // (1+2i)(t+i) with t = 3: 1 + 7i
  Flattened f(number + "model M Z a = Z(1, 2), b = Z(time, 1), p = a*b, d = a - b, n = -a; Real e = if a == a then 1 else 0; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("p.re", 3) == 1);
  BOOST_TEST(f.value("p.im", 3) == 7);
  BOOST_TEST(f.value("d.re", 3) == -2);
  BOOST_TEST(f.value("n.im") == -2);
  BOOST_TEST(f.value("e") == 1);
}

BOOST_AUTO_TEST_CASE(a_number_is_converted_by_the_constructor) {
  Flattened f(number + "model M Z a = 2*Z(1, 2) + 3; end M;");
  BOOST_TEST(f.value("a.re") == 5);
  BOOST_TEST(f.value("a.im") == 4);
}

BOOST_AUTO_TEST_CASE(arrays_go_element_by_element) {
  Flattened f(number + "model M Z a[2] = {Z(1), Z(2)} + {Z(3), Z(4)}, b[2] = 2*a; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("b[2].re") == 12);
}

BOOST_AUTO_TEST_CASE(what_is_not_defined_is_refused) {
  BOOST_TEST(contains(messages(number + "model M Z a = Z(1)/Z(2); end M;"), "the operator / is not defined for Z and Z"));
  BOOST_TEST(contains(messages("record R Real x; end R; model M R a = R(1) + R(2); end M;"), "records have no operators: declare an operator record"));
  BOOST_TEST(contains(messages(number + "model M Z a = sin(Z(1)); end M;"), "sin has no meaning for Z"));
}

BOOST_AUTO_TEST_CASE(an_operator_record_is_not_extended) {
  BOOST_TEST(contains(messages(number + "operator record Y extends Z; end Y; model M Y y; end M;"), "Z is an operator record and cannot be extended this way"));
  BOOST_TEST(messages(number + "operator record V = Z(re(unit = \"V\")); model M V v = V(1, 2); end M;") == "");
}

BOOST_AUTO_TEST_SUITE_END()
