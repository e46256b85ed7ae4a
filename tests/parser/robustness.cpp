// Whatever the text is: a tree, or an error at a place in the text.

#include <random>

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::parser;
using test::Parsed;

namespace {

const std::string representative = R"(within A.B;
// A model that has most of the language in it.
encapsulated partial model M "a \"quoted\" word" + " and more"
  extends .X.Y(break connect(a, b[2]), break c, each final z = 3, redeclare model Q = R(s = 1)) annotation(Foo = 1);
  import SI = Modelica.Units.SI; import A.B.*; import A.B.{c, d};
  inner outer replaceable parameter Real x[2, :](start = {1, 2.5e-3}) = {1, 2} if true "why" constrainedby Foo(a = 1);
protected
  type E = enumeration(a "A", b annotation(x = 1)) "e"; type F = enumeration(:);
  function f = der(g, x, y); connector C = input Real[3];
  function g input Real u[:]; output Real 'y y' = break; external "C" y = gg(u, size(u, 1)); annotation(); end g;
initial equation
  x = y;
equation
  a + b * c ^ 2 .^ (3) = if a > b and not c or d then -1 elseif time <> 2 then sin(x, k = 2) else f(function g(a = 1));
  if x > 1 then y = 1; elseif b then else z = {i for i in 1:3, j}; end if "if";
  for i in 1:2:10, j loop x[i, end] = [1, 2; 3, 4]; end for;
  when {initial(), sample(0, 1)} then reinit(x, pre(x)); elsewhen a then end when;
  connect(a.b[1].c, .d) annotation(Line(points = {{-1, 2}}));
  (a, , b) = (f(1))[2]; (c).d = "s";
algorithm
  while true loop x := 1; break; return; if a then b := .5; else f(x); end if; for k loop end for; end while;
  (c, , x) := f(1, 2); der(x) := 1; /* a comment */ when a then end when;
  annotation(Icon(a = 1), x(y = 2) = 3);
end M;
)";

void check(const std::string& text) {
  const Parsed p(text);
  BOOST_REQUIRE_MESSAGE(!print(p.remains.definition, *p.workspace).empty(), text);
  if (p.tree) {
    BOOST_REQUIRE_MESSAGE(!has_errors(p.diagnostics), text);
    BOOST_REQUIRE_MESSAGE(!p.printed().empty(), text);
    return;
  }
  BOOST_REQUIRE_MESSAGE(has_errors(p.diagnostics), text);
  for (const Diagnostic& diagnostic : p.diagnostics) {
    BOOST_REQUIRE_MESSAGE(!diagnostic.cause.empty(), text);
    BOOST_REQUIRE_MESSAGE(p.workspace->sources.source(diagnostic.place) == p.source, text);
    BOOST_REQUIRE_MESSAGE(p.workspace->sources.source({diagnostic.place.end, diagnostic.place.end}) == p.source, text);
    BOOST_REQUIRE_MESSAGE(p.messages().find("does not fit here") == std::string::npos, p.messages());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(robustness)

BOOST_AUTO_TEST_CASE(every_prefix) {
  for (std::size_t size = 0; size <= representative.size(); ++size) check(representative.substr(0, size));
}

BOOST_AUTO_TEST_CASE(every_deletion_of_a_byte) {
  for (std::size_t at = 0; at < representative.size(); ++at) check(std::string(representative).erase(at, 1));
}

BOOST_AUTO_TEST_CASE(every_deletion_of_a_word_or_symbol) {
  for (std::size_t at = 0; at < representative.size();) {
    std::size_t end = at + 1;
    while (end < representative.size() && std::isalnum(static_cast<unsigned char>(representative[end])) &&
           std::isalnum(static_cast<unsigned char>(representative[at]))) {
      ++end;
    }
    check(std::string(representative).erase(at, end - at));
    at = end;
  }
}

BOOST_AUTO_TEST_CASE(tokens_out_of_place) {
  const char* const tokens[] = {"(", ")", "[", "]", "{", "}", ";", ",", "=", ":=", "==", "^", "-", ".", ":", "\"", "'",
                                "/*", "end", "if", "then", "else", "for", "model", "annotation", "equation", "1", "x",
                                "not", "!", "&&", "$", "\xC3\xBC", "\xFF", "\\", "end if", "break", "function"};
  std::mt19937 random(1);
  for (const char* token : tokens) {
    for (int i = 0; i < 60; ++i) {
      check(std::string(representative).insert(random() % representative.size(), std::string(" ") + token + " "));
    }
  }
}

BOOST_AUTO_TEST_CASE(random_bytes) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t size = random() % 60; text.size() < size;) text += static_cast<char>(random() % 256);
    check(text);
    check("model M " + text);
    check("model M equation x = " + text);
    check("model M Real x \"" + text);
  }
}

BOOST_AUTO_TEST_CASE(several_texts_in_one_workspace) {
  Workspace workspace;
  Diagnostics diagnostics;
  BOOST_TEST(!parse(workspace.sources.add("a", "model A end B;"), workspace, diagnostics).has_value());
  const auto b = parse(workspace.sources.add("b", "model B Real x; end B;"), workspace, diagnostics);
  const auto c = parse(workspace.sources.add("c", "model C Real x; end C;"), workspace, diagnostics);
  BOOST_REQUIRE(b.has_value());
  BOOST_REQUIRE(c.has_value());
  BOOST_TEST(diagnostics.size() == 1u);
  BOOST_TEST(print(*b, workspace) ==
             "stored-definition\n  class-definition model B\n    long-class-specifier\n      element\n"
             "        component-clause Real\n          declaration x\n");
  BOOST_TEST(workspace.sources.locate(c->classes[0]->place).path == "c");
}

BOOST_AUTO_TEST_SUITE_END()
