// Chains of declarations that need each other: thousands of links are compiled, and what has no end is told in the right words.

#include <boost/test/unit_test.hpp>

#include "tests/compiler/rules_support.hpp"

using namespace rules;

namespace {

std::string number(int k) { return std::to_string(k); }

// link(k) for k = first ... last, one a line.
template <class Link>
std::string lines(int first, int last, Link link) {
  std::string text;
  for (int k = first; k <= last; ++k) text += link(k) + "\n";
  return text;
}

double value_of_x(const std::string& text) {
  Flattened model(text);
  BOOST_TEST(model.messages() == "", model.messages());
  return model.value("x", 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chains)

BOOST_AUTO_TEST_CASE(constants_and_sizes_that_need_the_next_one) {
  const int n = 5000;
  // Counting up from 1 at the end: the first is n + 1.
  const std::string up = lines(0, n - 1, [](int k) { return "constant Real c" + number(k) + " = c" + number(k + 1) + " + 1;"; });
  const std::string end = "constant Real c" + number(n) + " = 1;\n";
  BOOST_TEST(value_of_x("package P\n" + up + end + "end P;\nmodel M Real x = P.c0; end M;") == n + 1);
  BOOST_TEST(value_of_x("model M\n" + up + end + "Real x = c0; end M;") == n + 1);
  const std::string sizes = lines(0, n - 1, [](int k) { return "parameter Real a" + number(k) + "[size(a" + number(k + 1) + ", 1)] = a" + number(k + 1) + ";"; });
  BOOST_TEST(value_of_x("model M\n" + sizes + "parameter Real a" + number(n) + "[2] = {3, 4}; Real x = a0[1] + a0[2]; end M;") == 7);
}

BOOST_AUTO_TEST_CASE(classes_that_extend_the_one_before) {
  const int n = 10000;
  BOOST_TEST(value_of_x("model M0 Real x; end M0;\n" +
                        lines(1, n, [](int k) { return "model M" + number(k) + " extends M" + number(k - 1) + "; end M" + number(k) + ";"; }) +
                        "model M extends M" + number(n) + "; equation x = 2*time; end M;") == 2);
  // Each level redeclares: the outermost one counts.
  BOOST_TEST(value_of_x("model A parameter Real p = 1; end A;\nmodel B0 replaceable A a; Real x = a.p; end B0;\n" +
                        lines(1, n / 4, [](int k) {
                          return "model A" + number(k) + " extends A(p = " + number(k) + "); end A" + number(k) + "; model B" + number(k) + " extends B" +
                                 number(k - 1) + "(redeclare replaceable A" + number(k) + " a); end B" + number(k) + ";";
                        }) +
                        "model M extends B" + number(n / 4) + "; end M;") == n / 4);
}

BOOST_AUTO_TEST_CASE(names_of_types_and_packages) {
  const int n = 5000;
  BOOST_TEST(value_of_x("type T0 = Real;\n" + lines(1, n, [](int k) { return "type T" + number(k) + " = T" + number(k - 1) + ";"; }) +
                        "model M T" + number(n) + " x = time; end M;") == 1);
  BOOST_TEST(value_of_x("package P0 constant Real c = 3; end P0;\n" +
                        lines(1, n, [](int k) { return "package P" + number(k) + " = P" + number(k - 1) + ";"; }) +
                        "model M Real x = P" + number(n) + ".c; end M;") == 3);
}

BOOST_AUTO_TEST_CASE(components_in_components) {
  const int n = 2000;
  const std::string models = "model A0 Real y = 5; end A0;\n" + lines(1, n, [](int k) { return "model A" + number(k) + " A" + number(k - 1) + " a; Real y = a.y; end A" + number(k) + ";"; });
  BOOST_TEST(value_of_x(models + "model M A" + number(n) + " a; Real x = 1; end M;") == 1);
}

BOOST_AUTO_TEST_CASE(functions_that_call_the_one_before) {
  const int n = 2000;
  BOOST_TEST(value_of_x("function f0 input Real u; output Real y; algorithm y := u; end f0;\n" +
                        lines(1, n, [](int k) {
                          return "function f" + number(k) + " input Real u; output Real y; algorithm y := f" + number(k - 1) + "(u) + 1; end f" + number(k) + ";";
                        }) +
                        "model M constant Real c = f" + number(n) + "(1); Real x = c; end M;") == n + 1);
  BOOST_TEST(value_of_x("function f input Integer n; output Real y; algorithm y := if n <= 0 then 0 else f(n - 1) + n; end f;\n"
                        "model M constant Real c = f(1000); Real x = c; end M;") == 500500);
}

BOOST_AUTO_TEST_CASE(a_circle_is_called_one) {
  BOOST_TEST(contains(messages("type A = B; type B = C; type C = A; model M A x; end M;"), "is defined by itself"));
  BOOST_TEST(contains(messages("connector A extends B; end A; connector B extends A; end B; model M A a; end M;"), "extends"));
  BOOST_TEST(contains(messages("function f input Real u; output Real y; algorithm y := g(u); end f; "
                               "function g input Real u; output Real y; algorithm y := f(u); end g; model M Real x = f(time); end M;"),
                      "calls itself, without end"));
  // Through what a base class holds.
  BOOST_TEST(contains(messages("model A C x; equation x = 4; end A; model B extends A; Real y = 2*x; end B; model C extends A; Real z = 3*x; end C; model M extends B; extends C; end M;"),
                      "C contains itself, without end"));
  BOOST_TEST(contains(messages("model A C x; end A; model C extends A; Real z = time; end C; model M C c; end M;"), "C contains itself, without end"));
  const std::string two = messages("model M M a, b; end M;");
  BOOST_TEST(contains(two, "M contains itself, without end"), two);
  BOOST_TEST(two.find("error", two.find("error") + 1) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_has_no_end_and_is_no_circle_is_refused) {
  // Each instance brings a new one of the class in it.
  const std::string said = messages("model A replaceable model T = A; T t; end A; model M A a; end M;");
  BOOST_TEST(contains(said, "contains itself, without end") , said);
}

BOOST_AUTO_TEST_CASE(nested_subscripts_are_elaborated_once) {
  // k = {2, 3, 1} and k[3] is known in the run alone: each step goes round.
  for (const int depth : {14, 100}) {
    std::string index = "1";
    int expected = 1;
    for (int k = 0; k < depth; ++k) index = "k[" + index + "]", expected = expected % 3 + 1;
    Flattened model("model M Integer k[3] = {2, 3, integer(time)}; Integer x = " + index + "; end M;");
    BOOST_TEST(model.messages() == "", model.messages());
    const std::string text = model.printed();
    BOOST_TEST(text.size() < 100000u);
  }
}

BOOST_AUTO_TEST_CASE(a_text_that_doubles_is_refused) {
  for (const int n : {20, 40, 1000}) {
    const std::string said = messages("model M\n" + lines(0, n - 1, [](int k) { return "constant String s" + number(k + 1) + " = s" + number(k) + " + s" + number(k) + ";"; }) +
                                      "constant String s0 = \"abcdefgh\"; Real x[if s" + number(n) + " == s0 then 1 else 2] = fill(time, 2); end M;");
    BOOST_TEST(contains(said, "this text of constants becomes too long"), said);
  }
  BOOST_TEST(messages("model M\n" + lines(0, 9, [](int k) { return "constant String s" + number(k + 1) + " = s" + number(k) + " + s" + number(k) + ";"; }) +
                      "constant String s0 = \"abcdefgh\"; Real x[if s10 == s0 then 1 else 2] = fill(time, 2); end M;") == "");
}

BOOST_AUTO_TEST_CASE(one_place_is_complained_of_a_few_times) {
  // Five thousand elements, each with another text.
  const std::string said = messages("model M Real x = time; equation for i in 1:5000 loop assert(false, \"element \" + String(i)); end for; end M;");
  std::size_t errors = 0;
  for (std::size_t at = said.find("error:"); at != std::string::npos; at = said.find("error:", at + 1)) ++errors;
  BOOST_TEST(errors >= 1u);
  BOOST_TEST(errors <= 5u);
}

BOOST_AUTO_TEST_SUITE_END()
