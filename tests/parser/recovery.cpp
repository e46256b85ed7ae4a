// What is read and said after a syntax error: every mistake once, and nothing that only follows from one.

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "parser/tokens.hpp"
#include "support.hpp"

using namespace mosim::parser;
using test::Parsed;

namespace {

// Written as people write: a line for each thing, types with capital letters.
const std::string tidy = R"(within Tests;
package Circuits "Small circuits"
  import Modelica.Constants.pi;
  type Voltage = Real(unit = "V");
  connector Pin "Of a component"
    Voltage v;
    flow Real i(unit = "A");
  end Pin;
  function average "Of the elements of a vector"
    input Real u[:];
    output Real y = 0;
  protected
    Integer n = size(u, 1);
  algorithm
    for k in 1:n loop
      y := y + u[k];
    end for;
    while y > 100 loop
      y := y/2;
    end while;
    if n > 0 then
      y := y/n;
    end if;
    return;
  end average;
  partial model TwoPin
    Pin p, n;
    Voltage v;
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
  end TwoPin;
  model Switch "Opens and closes"
    extends TwoPin;
    parameter Real limit = 2.5 "When it opens";
    parameter Real G[2] = {1e-3, 10};
    discrete Integer openings(start = 0, fixed = true);
    Boolean closed(start = true);
  initial equation
    closed = v < limit;
  equation
    when v > limit then
      closed = false;
      openings = pre(openings) + 1;
    elsewhen v < limit/2 then
      closed = true;
      openings = pre(openings);
    end when;
    if closed then
      p.i = G[2]*v;
    elseif limit > 10 then
      p.i = 0;
    else
      p.i = if time < 1 then 0 else G[1]*v;
    end if;
    assert(v < 10*limit, "The voltage is too high");
    annotation (Documentation(info = "How it works"));
  end Switch;
  model Circuit
    Switch switch(limit = 3) "In the middle";
    Real mean = average({switch.v, 2*pi, -1});
    Real x[3](each start = 1);
  equation
    for i in 1:3 loop
      der(x[i]) = -x[i] + sin(time);
    end for;
    connect(switch.p, switch.n);
    switch.n.v = 0;
  end Circuit;
end Circuits;
)";

struct Piece {
  std::size_t at, size;
};

std::vector<Piece> pieces(const std::string& text) {
  std::vector<Piece> all;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (Token t = token_at(begin, end); !t.is_end_of_file(); t = token_at(t.end(), end))
    all.push_back({static_cast<std::size_t>(t.begin() - begin), t.text.size()});
  return all;
}

/// At most one error is said of a text with one mistake.
void check_one(const std::string& text) {
  const Parsed p(text);
  const auto errors = std::count_if(p.diagnostics.begin(), p.diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
  BOOST_TEST(errors <= 1, p.messages());
  BOOST_TEST((errors == 1) == !p.tree.has_value());
}

/// The lines at which errors are said, notes left out.
std::vector<std::uint32_t> error_lines(const std::string& text) {
  const Parsed p(text);
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& d : p.diagnostics) lines.push_back(p.workspace->sources.locate(d.place).line);
  return lines;
}

/// The classes that were read, with their parts in parentheses: "M(x y) P(A(x))".
std::string outline(const Parsed& p, const ClassDefinition& definition) {
  std::string all(p.text(definition.name));
  const auto* specifier = std::get_if<LongClassSpecifier>(&definition.specifier);
  if (!specifier) return all;
  std::string parts;
  const auto add = [&](std::string part) { parts += (parts.empty() ? "" : " ") + part; };
  for (const Element& e : specifier->composition.elements) {
    if (const auto* c = std::get_if<const ClassDefinition*>(&e.node)) add(outline(p, **c));
    if (const auto* c = std::get_if<ComponentClause>(&e.node))
      for (const Declaration& d : c->declarations) add(std::string(p.text(d.name)));
  }
  std::size_t equations = 0, statements = 0;
  for (const auto& s : specifier->composition.sections) {
    if (const auto* q = std::get_if<EquationSection>(&s)) equations += q->equations.size();
    if (const auto* a = std::get_if<AlgorithmSection>(&s)) statements += a->statements.size();
  }
  if (equations) add(std::to_string(equations) + "=");
  if (statements) add(std::to_string(statements) + ":=");
  return all + "(" + parts + ")";
}
std::string outline(const std::string& text) {
  const Parsed p(text);
  std::string all;
  for (const ClassDefinition* c : (p.tree ? *p.tree : p.remains.definition).classes) all += (all.empty() ? "" : " ") + outline(p, *c);
  return all;
}
std::set<std::string> unread(const std::string& text) {
  const Parsed p(text);
  std::set<std::string> names;
  for (const Name n : p.remains.unread) names.insert(std::string(p.text(n)));
  return names;
}

using Lines = std::vector<std::uint32_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(recovery)

BOOST_AUTO_TEST_CASE(the_text_itself_is_read) { BOOST_TEST(Parsed(tidy).messages() == ""); }

// ---- one mistake, one error -------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(one_error_for_a_word_or_symbol_left_out) {
  for (const Piece p : pieces(tidy)) check_one(std::string(tidy).replace(p.at, p.size, std::string(p.size, ' ')));
}

BOOST_AUTO_TEST_CASE(one_error_for_a_word_or_symbol_written_twice) {
  for (const Piece p : pieces(tidy)) check_one(std::string(tidy).insert(p.at, tidy.substr(p.at, p.size) + " "));
}

BOOST_AUTO_TEST_CASE(one_error_for_a_letter_left_out) {
  for (const Piece p : pieces(tidy))
    if (p.size > 2) check_one(std::string(tidy).erase(p.at + p.size / 2, 1));
}

BOOST_AUTO_TEST_CASE(one_error_for_a_capital_letter) {
  for (const Piece p : pieces(tidy)) {
    std::string text = tidy;
    text[p.at] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[p.at])));
    check_one(text);
  }
}

BOOST_AUTO_TEST_CASE(one_error_for_a_text_that_breaks_off) {
  for (std::size_t size = 0; size <= tidy.size(); ++size) check_one(tidy.substr(0, size));
}

// ---- several mistakes, several errors ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(elements_equations_and_statements) {
  const std::string text = R"(model M
  Real x(start = 1;
  Real y;
  parameter Real k == 3;
equation
  x = y +;
  y = sin(x;
algorithm
  y = 3;
  y := 2 3;
  y := 4;
end M;
)";
  BOOST_TEST((error_lines(text) == Lines{2, 4, 6, 7, 9, 10}));
  BOOST_TEST(outline(text) == "M(y 1:=)");
}

BOOST_AUTO_TEST_CASE(inside_of_blocks) {
  const std::string text = R"(model M
equation
  if a > then
    x = 1 2;
    y = 1;
  elseif b = 2 then
    z = ;
  else
    x = 3;
  end if;
  for i in 1:3
    y[i] = 3;
  end for;
  when c do
    y = (3;
  end when;
  w = 1;
end M;
)";
  BOOST_TEST((error_lines(text) == Lines{3, 4, 6, 7, 11, 14, 15}));
  BOOST_TEST(outline(text) == "M(4=)");
}

BOOST_AUTO_TEST_CASE(in_several_classes) {
  const std::string text = R"(package P
  model A
    Real x y;
    Real z;
  end A;
  function f
    input Real u = 1 2;
    output Real y;
  algorithm
    y := u u;
    y := u;
  end f;
  model 3B
    Real x;
  equation
    x = 1;
  end 3B;
  type T = Real(unit = "m";
  model C
    A a;
  equation
    a.z = ];
  end C;
end P;
model D
  Real x = {1, 2;
end D;
)";
  BOOST_TEST((error_lines(text) == Lines{3, 7, 10, 13, 18, 22, 26}));
  BOOST_TEST(outline(text) == "P(A(z) f(y 1:=) C(a)) D()");
}

BOOST_AUTO_TEST_CASE(a_semicolon_at_the_end_of_every_line) {
  const std::string text = "model M\n  Real x\n  Real y\nequation\n  x = 1\n  y = 2\nend M\n";
  BOOST_TEST(Parsed(text).messages() ==
             "test.mo:2:9: error: expected ';' after the declaration, found 'Real'\n"
             "      Real x\n"
             "            ^\n"
             "test.mo:3:9: note: the same here\n"
             "      Real y\n"
             "            ^\n"
             "test.mo:5:8: note: the same here\n"
             "      x = 1\n"
             "           ^\n"
             "test.mo:7:6: note: and 2 more of the same, the last one here\n"
             "    end M\n"
             "         ^\n");
  BOOST_TEST(outline(text) == "M(x y 2=)");
}

BOOST_AUTO_TEST_CASE(one_line_of_two_that_belong_together) {
  // An operator is missing at the end of the first: the second is no equation for that reason alone.
  BOOST_TEST((error_lines("model M\nequation\n  x = a*b\n      c + d;\n  y = 1 2;\nend M;\n") == Lines{3, 5}));
}

BOOST_AUTO_TEST_CASE(the_same_mistake_again_and_again) {
  std::string text = "model M\nalgorithm\n";
  for (int i = 0; i < 50; ++i) text += "  x = 1;\n";
  const Parsed p(text + "end M;\n");
  BOOST_REQUIRE(p.diagnostics.size() == 1u);
  BOOST_TEST(p.diagnostics[0].notes.size() == 3u);
  BOOST_TEST(p.diagnostics[0].notes[2].text == "and 47 more of the same, the last one here");
}

BOOST_AUTO_TEST_CASE(there_is_a_limit) {
  std::string text = "model M\nequation\n";
  for (int i = 0; i < 150; ++i) text += "  x = 1 " + std::to_string(i) + ";\n";
  const Parsed p(text + "end M;\n");
  BOOST_REQUIRE(p.diagnostics.size() == 10u);
  BOOST_TEST(p.diagnostics.back().notes.back().text == "140 more syntax errors are told once these are mended");
}

// ---- nesting ----------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_end_of_a_class_is_missing) {
  const std::string text = R"(package P
  model A
    Real x;
  equation
    x = 1;

  model B
    Real y;
  equation
    y = 2;
  end B;
end P;
)";
  BOOST_TEST(Parsed(text).messages() ==
             "test.mo:7:3: error: expected an equation or 'end A', found 'model'\n"
             "      model B\n"
             "      ^~~~~\n"
             "  remedy: write 'end A;' before the next class\n"
             "test.mo:2:9: note: 'A' begins here\n"
             "      model A\n"
             "            ^\n");
  BOOST_TEST(outline(text) == "P(A(x 1=) B(y 1=))");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_class_has_another_name) {
  BOOST_TEST(outline("package P\n  model A\n    Real x;\n  end a;\n  model B\n  end B;\nend P;\n") == "P(A(x) B())");
  BOOST_TEST(outline("package P\n  model A\n    Real x;\n  end model;\n  model B\n  end B;\nend P;\n") == "P(A(x) B())");
  BOOST_TEST(outline("package P\n  model A\n    Real x;\n  end;\n  model B\n  end B;\nend P;\n") == "P(A(x) B())");
  BOOST_TEST(outline("package P\n  model A\n    Real x;\n  A;\n  model B\n  end B;\nend P;\n") == "P(A(x) B())");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_block_is_missing) {
  const std::string before = "package P\n  model A\n  equation\n    if b then\n      x = 1;\n";
  const std::string behind = "\n    y = 2;\n  end A;\n  model B\n  end B;\nend P;\n";
  for (const std::string end : {"", "end;", "endif;", "end fi;", "end for;", "End if;", "ed if;", "end end if;"}) {
    BOOST_TEST(error_lines(before + end + behind).size() == 1u, end);
    BOOST_TEST(outline(before + end + behind).find("B()") != std::string::npos, end);
  }
}

BOOST_AUTO_TEST_CASE(an_end_too_many) {
  BOOST_TEST(outline("package P\n  model A\n  equation\n    x = 1;\n    end if;\n    y = 2;\n  end A;\n  model B\n  end B;\nend P;\n") ==
             "P(A(2=) B())");
  BOOST_TEST((error_lines("model A\n  Real x;\nend A;\nequation\n  x = 1;\nend A;\nmodel B\n  Real x y;\nend B;\n") == Lines{4, 8}));
}

BOOST_AUTO_TEST_CASE(blocks_in_braces) {
  const std::string text = R"(model M
equation
  if a > 1 {
    x = 1;
  } else {
    x = 2;
  }
  for i in 1:3 {
    y[i] = 1;
  }
  z = 3;
end M;
)";
  BOOST_TEST((error_lines(text) == Lines{3, 8}));
  BOOST_TEST(outline(text) == "M(3=)");
}

BOOST_AUTO_TEST_CASE(in_the_wrong_section) {
  BOOST_TEST(outline("model M\n  Real x;\n  x = 1;\n  der(y) = x;\n  Real z;\nend M;\n") == "M(x z 1=)");
  BOOST_TEST(outline("model M\n  Real x;\n  x = 1;\n  der(y) = x;\nend M;\n") == "M(x 2=)");
  BOOST_TEST((error_lines("model M\n  Real x;\n  x = 1;\n  der(y) = x;\n  z = 3 4;\nend M;\n") == Lines{3, 5}));
  BOOST_TEST(outline("model M\nequation\n  x = 1;\n  parameter Real k = 1;\n  y = 2;\nend M;\n") == "M(k 2=)");
  BOOST_TEST(outline("model M\nequation\n  while x > 1 loop\n    x = 2;\n  end while;\n  y = 2;\nend M;\n") == "M(1=)");
  BOOST_TEST(outline("model M\nequations\n  x = 1;\n  y = 2;\n  z = 3;\nend M;\n") == "M(3=)");
}

// ---- what later stages must not miss ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(names_in_what_was_not_read) {
  BOOST_TEST((unread("model M\n  Real x, y = 1 2, z;\n  Real w;\nequation\n  q = 3 4;\nend M;\n") ==
              std::set<std::string>{"M", "Real", "x", "y", "z"}));
  BOOST_TEST(!Parsed("model M\n  Real x = 1 2;\nend M;\n").remains.blind);
  BOOST_TEST(Parsed("model M\n  extends A(x 1);\nend M;\n").remains.blind);
  BOOST_TEST(Parsed("model M\n  import A.{b c};\nend M;\n").remains.blind);
  BOOST_TEST(Parsed("model M\n  model 3 end 3;\nend M;\n").remains.blind);
  BOOST_TEST(Parsed("model M\n  Real x \"abc;\nend M;\n").remains.blind);
}

BOOST_AUTO_TEST_CASE(a_class_may_go_on_behind_its_annotation) {
  const Parsed p("package P\n  annotation(a = 1);\n  model A\n    Real x;\n  equation\n    x = 1;\n    annotation(b = 2);\n    y = 2;\n"
                 "    annotation(c = 3);\n  public\n    Real y;\n  end A;\nend P;\n");
  BOOST_REQUIRE(p.tree.has_value());
  BOOST_TEST(p.messages() ==
             "test.mo:3:3: warning: the class goes on behind its annotation, as in old libraries; the annotation of a class stands last in it\n"
             "      model A\n"
             "      ^~~~~\n"
             "  remedy: move the annotation to the end of the class\n");
  const auto& package = std::get<LongClassSpecifier>(p.tree->classes.front()->specifier).composition;
  const auto& a = *std::get<const ClassDefinition*>(package.elements.front().node);
  BOOST_TEST(a.description.annotation->arguments.size() == 2);
  const auto& inside = std::get<LongClassSpecifier>(a.specifier).composition;
  BOOST_TEST(inside.elements.size() == 2);
  BOOST_TEST(inside.sections.size() == 3);
  const Parsed initial("model A\n  Real x;\ninitial equation\n  x = 1;\n  annotation(b = 2);\n  x = 2;\nend A;\n");
  BOOST_TEST(initial.messages().find("error: expected 'end A' after the annotation of the class") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(old_bindings_are_read_with_a_warning) {
  const Parsed p("model M\n  Real x(start := 1) := 2;\nend M;\n");
  BOOST_TEST(p.tree.has_value());
  BOOST_TEST(p.messages() ==
             "test.mo:2:16: warning: ':=' gives a value here as old libraries did; it is no longer part of Modelica\n"
             "      Real x(start := 1) := 2;\n"
             "                   ^~\n"
             "  remedy: write '='\n"
             "test.mo:2:22: warning: ':=' gives a value here as old libraries did; it is no longer part of Modelica\n"
             "      Real x(start := 1) := 2;\n"
             "                         ^~\n"
             "  remedy: write '='\n");
}

// ---- growth -----------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(as_many_mistakes_as_lines) {
  std::string text = "model M\nequation\n";
  for (int i = 0; i < 100000; ++i) text += "  if x" + std::to_string(i) + " = then y ;\n";
  const Parsed p(text);
  BOOST_TEST(p.diagnostics.size() <= 10u);
}

BOOST_AUTO_TEST_SUITE_END()
