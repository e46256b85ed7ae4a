#include <boost/test/unit_test.hpp>

#include "support.hpp"

using mosim::parser::test::expression;
using mosim::parser::test::messages;
using mosim::parser::test::Parsed;
namespace mp = mosim::parser;

namespace {

/// The expression, with every operator and its operands in parentheses.
std::string grouped(const mp::Expression& e, const Parsed& p) {
  static const char* const binary[] = {"+",  "-", "*",  "/", "^",  ".+", ".-", ".*",  "./",
                                       ".^", "<", "<=", ">", ">=", "==", "<>", "and", "or"};
  static const char* const unary[] = {"+", "-", ".+", ".-", "not "};
  if (const auto* b = std::get_if<mp::Binary>(&e.node)) {
    return "(" + grouped(*b->left, p) + " " + binary[static_cast<int>(b->op)] + " " + grouped(*b->right, p) + ")";
  }
  if (const auto* u = std::get_if<mp::Unary>(&e.node)) {
    return "(" + std::string(unary[static_cast<int>(u->op)]) + grouped(*u->operand, p) + ")";
  }
  return std::string(p.text(e.place));
}

const mp::Expression& right_side(const Parsed& p) {
  const auto& composition = std::get<mp::LongClassSpecifier>(p.tree->classes[0]->specifier).composition;
  const auto& section = std::get<mp::EquationSection>(composition.sections[0]);
  return *std::get<mp::SimpleEquation>(section.equations[0].node).right;
}

std::string grouped(const std::string& text) {
  const Parsed p("model M equation 0 = " + text + "; end M;");
  return p.tree ? grouped(right_side(p), p) : p.messages();
}

std::string_view place_of(const std::string& text, Parsed& p) {
  p = Parsed("model M equation 0 = " + text + "; end M;");
  return p.text(right_side(p).place);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expressions)

BOOST_AUTO_TEST_CASE(precedence) {
  BOOST_TEST(grouped("a + b * c ^ d") == "(a + (b * (c ^ d)))");
  BOOST_TEST(grouped("a * b + c") == "((a * b) + c)");
  BOOST_TEST(grouped("a or b and not c < d + e") == "(a or (b and (not (c < (d + e)))))");
  BOOST_TEST(grouped("not a == b") == "(not (a == b))");
  BOOST_TEST(grouped("-a ^ b") == "(-(a ^ b))");
  BOOST_TEST(grouped("-a * b + c") == "((-(a * b)) + c)");
  BOOST_TEST(grouped("- a + b") == "((-a) + b)");
  BOOST_TEST(grouped("+a .- b") == "((+a) .- b)");
  BOOST_TEST(grouped(".-a .+ .5") == "((.-a) .+ .5)");
  BOOST_TEST(grouped("(a + b) * c") == "((a + b) * c)");
  BOOST_TEST(grouped("(a ^ b) ^ c") == "((a ^ b) ^ c)");
}

BOOST_AUTO_TEST_CASE(left_associativity) {
  BOOST_TEST(grouped("a - b - c") == "((a - b) - c)");
  BOOST_TEST(grouped("a / b * c ./ d .* e") == "((((a / b) * c) ./ d) .* e)");
  BOOST_TEST(grouped("a or b or c") == "((a or b) or c)");
  BOOST_TEST(grouped("a and b and c") == "((a and b) and c)");
}

BOOST_AUTO_TEST_CASE(every_operator) {
  for (const std::string op :
       {"+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^", "<", "<=", ">", ">=", "==", "<>", "and", "or"}) {
    BOOST_TEST(grouped("a " + op + " b") == "(a " + op + " b)");
  }
  for (const std::string op : {"+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "<>"}) {
    BOOST_TEST(grouped("a" + op + "b") == "(a " + op + " b)");
  }
}

BOOST_AUTO_TEST_CASE(longest_token_wins) {
  BOOST_TEST(grouped("2.*x") == "(2. * x)");
  BOOST_TEST(grouped("2 .*x") == "(2 .* x)");
  BOOST_TEST(grouped("2./x") == "(2. / x)");
  BOOST_TEST(grouped("a.*b") == "(a .* b)");
  BOOST_TEST(grouped("a/b//c\n") == "(a / b)");
  BOOST_TEST(grouped("notx") == "notx");
  BOOST_TEST(grouped("x_end") == "x_end");
}

BOOST_AUTO_TEST_CASE(literals) {
  BOOST_TEST(expression("9223372036854775807") == "integer 9223372036854775807\n");
  BOOST_TEST(expression("007") == "integer 7\n");
  for (const std::string one_point_five : {"1.5", "1.5e0", "15E-1", "0.15e+1", "1.50", "15.e-1", ".15E1"}) {
    BOOST_TEST(expression(one_point_five) == "real 1.5\n");
  }
  BOOST_TEST(expression("13.") == "real 13\n");
  BOOST_TEST(expression("1e-999") == "real 0\n");
  BOOST_TEST(expression("true") == "boolean true\n");
  BOOST_TEST(expression("false") == "boolean false\n");
  BOOST_TEST(expression("\"a\"") == "string \"a\"\n");
  BOOST_TEST(expression("time") == "component-reference time\n");
}

BOOST_AUTO_TEST_CASE(references) {
  BOOST_TEST(expression("a") == "component-reference a\n");
  BOOST_TEST(expression(". a . b") == "component-reference .a.b\n");
  BOOST_TEST(expression("a[1, :, end].b[i]") ==
             "component-reference a[].b[]\n"
             "  array-subscripts\n    integer 1\n    :\n    end\n"
             "  array-subscripts\n    component-reference i\n");
  BOOST_TEST(expression("a[b[end] + f(end)]") ==
             "component-reference a[]\n  array-subscripts\n    binary\n"
             "      component-reference b[]\n        array-subscripts\n          end\n"
             "      +\n"
             "      function-call\n        component-reference f\n        end\n");
  BOOST_TEST(expression("a[1:end]") ==
             "component-reference a[]\n  array-subscripts\n    range\n      integer 1\n      end\n");
}

BOOST_AUTO_TEST_CASE(calls) {
  BOOST_TEST(expression("f()") == "function-call\n  component-reference f\n");
  BOOST_TEST(expression("A.f(1, x, k = 2, l = \"s\")") ==
             "function-call\n  component-reference A.f\n  integer 1\n  component-reference x\n"
             "  named-argument k\n    integer 2\n  named-argument l\n    string \"s\"\n");
  BOOST_TEST(expression("f(k = 2)") == "function-call\n  component-reference f\n  named-argument k\n    integer 2\n");
  BOOST_TEST(expression("f(k == 2)") ==
             "function-call\n  component-reference f\n  binary\n    component-reference k\n    ==\n    integer 2\n");
  BOOST_TEST(expression("der(x)") == "function-call\n  component-reference der\n  component-reference x\n");
  BOOST_TEST(expression("initial()") == "function-call\n  component-reference initial\n");
  BOOST_TEST(expression("pure(f(x))") ==
             "function-call\n  component-reference pure\n  function-call\n    component-reference f\n"
             "    component-reference x\n");
  BOOST_TEST(expression("sum(i*i for i in 1:3, j)") ==
             "function-call\n  component-reference sum\n"
             "  binary\n    component-reference i\n    *\n    component-reference i\n"
             "  for-index i\n    range\n      integer 1\n      integer 3\n  for-index j\n");
  BOOST_TEST(expression("f(function A.g(a = 1), 2, h = function .k())") ==
             "function-call\n  component-reference f\n"
             "  function-partial-application A.g\n    named-argument a\n      integer 1\n  integer 2\n"
             "  named-argument h\n    function-partial-application .k\n");
}

BOOST_AUTO_TEST_CASE(if_expressions) {
  BOOST_TEST(expression("if a then 1 elseif b then 2 else if c then 3 else 4") ==
             "if-expression\n  if\n    component-reference a\n  then\n    integer 1\n"
             "  elseif\n    component-reference b\n  then\n    integer 2\n"
             "  else\n    if-expression\n      if\n        component-reference c\n      then\n        integer 3\n"
             "      else\n        integer 4\n");
}

BOOST_AUTO_TEST_CASE(ranges) {
  BOOST_TEST(expression("1:n + 1") ==
             "range\n  integer 1\n  binary\n    component-reference n\n    +\n    integer 1\n");
  BOOST_TEST(expression("1:2:n") == "range\n  integer 1\n  integer 2\n  component-reference n\n");
}

BOOST_AUTO_TEST_CASE(arrays) {
  BOOST_TEST(expression("{1, {2}}") == "array\n  integer 1\n  array\n    integer 2\n");
  BOOST_TEST(
      expression("{i for i in 1:3}") ==
      "array-comprehension\n  component-reference i\n  for-index i\n    range\n      integer 1\n      integer 3\n");
  BOOST_TEST(
      expression("[1, 2; [3], 4]") ==
      "matrix\n  row\n    integer 1\n    integer 2\n  row\n    matrix\n      row\n        integer 3\n    integer 4\n");
}

BOOST_AUTO_TEST_CASE(parentheses) {
  BOOST_TEST(expression("((a))") == "component-reference a\n");
  BOOST_TEST(expression("(a, , b)") ==
             "output-expression-list\n  component-reference a\n  (left out)\n  component-reference b\n");
  BOOST_TEST(expression("()") == "output-expression-list\n");
  BOOST_TEST(expression("(,)") == "output-expression-list\n  (left out)\n  (left out)\n");
  BOOST_TEST(expression("(f(x))[1, :]") ==
             "subscripted\n  function-call\n    component-reference f\n    component-reference x\n"
             "  array-subscripts\n    integer 1\n    :\n");
  BOOST_TEST(expression("(f(x)).re") ==
             "member re\n  function-call\n    component-reference f\n    component-reference x\n");
}

BOOST_AUTO_TEST_CASE(places) {
  Parsed p("");
  BOOST_TEST(place_of("a + b /* c */ ", p) == "a + b");
  BOOST_TEST(place_of("(a + b) * (c) ", p) == "(a + b) * (c)");
  BOOST_TEST(place_of("f(x, y = 1) ", p) == "f(x, y = 1)");
  BOOST_TEST(place_of("- (a) ", p) == "- (a)");
  BOOST_TEST(place_of("(f(x))[1] ", p) == "(f(x))[1]");
  BOOST_TEST(place_of("(a, b) ", p) == "(a, b)");
  BOOST_TEST(place_of("if a then b else (c) ", p) == "if a then b else (c)");
  BOOST_TEST(place_of("1 : 2 : (3) ", p) == "1 : 2 : (3)");
  BOOST_TEST(place_of("not (a) ", p) == "not (a)");
  p = Parsed("model M equation 0 = a .* b; end M;");
  BOOST_TEST(p.text(std::get<mp::Binary>(right_side(p).node).op_place) == ".*");
  p = Parsed("model M equation 0 = a and b; end M;");
  BOOST_TEST(p.text(std::get<mp::Binary>(right_side(p).node).op_place) == "and");
}

BOOST_AUTO_TEST_SUITE_END()
