// Nesting and length: bounded with an error, or not bounded at all; never an overflow of the stack.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::parser;
using test::Parsed;

namespace {

std::string times(int count, const std::string& text) {
  std::string out;
  out.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out += text;
  return out;
}
std::string model(const std::string& content) { return "model M " + content + " end M;"; }

constexpr int million = 1'000'000;

}  // namespace

BOOST_AUTO_TEST_SUITE(depth)

BOOST_AUTO_TEST_CASE(a_million_levels) {
  const std::string too_deep = "this is nested more than 400 levels deep";
  const auto open = [](const std::string& start, const std::string& step) {
    return "model M " + start + times(million, step);
  };
  for (const std::string& text : {open("Real x = ", "("),
                                  open("Real x = ", "{"),
                                  open("Real x = ", "["),
                                  open("Real x = ", "-("),
                                  open("Real x = ", "not ("),
                                  open("Real x = ", "a.b(c(d("),
                                  open("Real x = ", "f(k="),
                                  open("Real x = ", "f(function g(k="),
                                  open("Real x = ", "a["),
                                  open("Real x = ", "if "),
                                  open("Real x = ", "if a then 1 else "),
                                  open("Real x = ", "1:("),
                                  open("Real x = ", "der("),
                                  open("A x(", "b("),
                                  open("A x(", "redeclare model C = D("),
                                  open("A x(", "replaceable E f("),
                                  open("extends A(", "b("),
                                  open("annotation(", "b("),
                                  open("equation ", "if a then "),
                                  open("equation ", "for i loop "),
                                  open("equation ", "when a then "),
                                  open("algorithm ", "if a then "),
                                  open("algorithm ", "for i loop "),
                                  open("algorithm ", "while a loop "),
                                  open("algorithm ", "("),
                                  open("", "model A "),
                                  open("", "model extends A ")}) {
    const Parsed p(text);
    BOOST_TEST(!p.tree.has_value());
    BOOST_REQUIRE(p.diagnostics.size() == 1);
    BOOST_TEST(p.diagnostics[0].cause == too_deep, text.substr(0, 40) << ": " << p.diagnostics[0].cause);
  }
  const Parsed p(open("Real x = ", "not "));  // no nesting: the grammar has one 'not' only
  BOOST_TEST(p.messages().find("expected an operand after 'not', found 'not'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_deepest_that_is_read_is_printed) {
  // One level is the class, one the expression outside of the parentheses.
  const auto nested = [](int levels) {
    return model("Real x = " + times(levels, "{") + "1" + times(levels, "}") + ";");
  };
  BOOST_TEST(!Parsed(nested(maximum_depth)).tree.has_value());
  const Parsed p(nested(maximum_depth - 2));
  BOOST_REQUIRE(p.tree.has_value());
  BOOST_TEST(p.printed().find("integer 1\n") != std::string::npos);
  BOOST_TEST(
      Parsed(times(maximum_depth, "model M ") + times(maximum_depth - 1, "end M; ") + "end M;").printed().size() >
      1000u);
}

BOOST_AUTO_TEST_CASE(chains_of_operators) {
  for (const std::string op : {"+", "*", " and ", " or ", ".-", "./"}) {
    const Parsed longest(model("Real x = " + times(20000, "a" + op) + "a;"));
    BOOST_REQUIRE(longest.tree.has_value());
    BOOST_TEST(longest.printed().size() > 20000u);
    const Parsed longer(model("Real x = " + times(20001, "a" + op) + "a;"));
    BOOST_TEST(!longer.tree.has_value());
    BOOST_TEST(longer.messages().find("this chain of operators has more than 20000 of them") != std::string::npos);
  }
  // Parentheses do not start a new chain on the left.
  BOOST_TEST(!Parsed(model("Real x = (" + times(10000, "a+") + "a)" + times(10001, "*a") + ";")).tree.has_value());
}

BOOST_AUTO_TEST_CASE(long_lists_have_no_bound) {
  for (const std::string& text :
       {model("Real x = f(" + times(100000, "1, ") + "1);"),
        model("Real x = f(" + times(100000, "k = 1, ") + "l = 1);"), model("Real x = {" + times(100000, "1, ") + "1};"),
        model("Real x = [" + times(100000, "1; ") + "1];"), model("Real " + times(100000, "x, ") + "y;"),
        model("Real x = " + times(100000, "a.") + "b;"), model("A x(" + times(100000, "b, ") + "c);"),
        model("equation " + times(100000, "a = b;")),
        model("equation if a then " + times(100000, "elseif b then ") + "end if;"),
        model("Real x = if a then 1 " + times(100000, "elseif a then 1 ") + "else 2;"),
        model("Real x \"a\"" + times(100000, " + \"b\"") + ";"), times(100000, "type A = B;")}) {
    BOOST_TEST(Parsed(text).tree.has_value(), text.substr(0, 40));
  }
}

BOOST_AUTO_TEST_SUITE_END()
