// What later stages say of a model with syntax errors: what is wrong in the parts that were read, and nothing that is
// so because a part was not.

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

namespace {

/// The lines at which errors are said.
std::vector<std::uint32_t> lines(const std::string& text) {
  const Flattened f(text);
  std::vector<std::uint32_t> all;
  for (const parser::Diagnostic& d : f.diagnostics)
    if (d.severity == parser::Severity::error) all.push_back(f.workspace->sources.locate(d.place).line);
  BOOST_TEST(!f.model.has_value());
  return all;
}

using Lines = std::vector<std::uint32_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(after_syntax_errors)

BOOST_AUTO_TEST_CASE(what_was_read_is_checked) {
  BOOST_TEST((lines(R"(model M
  Real x = 1 2;
  Real y;
  Boolean b = 3;
equation
  y = z;
end M;
)") == Lines{2, 4, 6}));
}

BOOST_AUTO_TEST_CASE(names_that_were_not_read_are_not_unknown) {
  BOOST_TEST((lines(R"(model M
  parameter Real k = 2 3;
  Real a(start = 1, b;
  Real y = k*a + b;
  Sub sub(k = k);
  model Sub
    parameter Real k = 1 1;
    Real r = k;
  end Sub;
equation
  sub.k = f(sub.k);
end M;
function f
  input Real u;
  input Real v = 1 1;
  output Real y;
algorithm
  y := u + v;
end f;
)") == Lines{2, 3, 7}));   // those of lines 7 and 15 are one
}

BOOST_AUTO_TEST_CASE(names_that_were_read_are_unknown_elsewhere) {
  BOOST_TEST((lines("model M\n  Real x = 1 2;\nequation\n  w = x;\n  v = 2;\nend M;\n") == Lines{2, 4, 5}));
}

BOOST_AUTO_TEST_CASE(behind_a_base_class_that_was_not_read_nothing_is_known) {
  BOOST_TEST((lines("model A Real x; end A;\nmodel M\n  extends A(x = 1;\n  Real y = x + z;\nend M;\n") == Lines{3}));
  BOOST_TEST((lines("model M\n  import Modelica.Constants.{pi;\n  Real y = pi + z;\nend M;\n") == Lines{2}));
  BOOST_TEST((lines("model M\n  model 2A\n    Real x;\n  end 2A;\n  2A a;\n  Real y = a.x;\nend M;\n") == Lines{2}));
}

BOOST_AUTO_TEST_CASE(a_block_without_its_end_is_not_counted) {
  BOOST_TEST((lines("model M\n  Real x, y;\nequation\n  if time > 1 then\n    x = 1;\n  else\n    x = 2;\n  y = 1;\nend M;\n") == Lines{9}));
}

BOOST_AUTO_TEST_CASE(a_head_that_was_not_read_still_has_its_body) {
  BOOST_TEST((lines("model M\n  Real x;\nequation\n  if time > then\n    x = u;\n  else\n    x = 2;\n  end if;\nend M;\n") == Lines{4, 5}));
  BOOST_TEST((lines("model M\n  Real x[3];\nequation\n  for k in 1: loop\n    x[k] = 1;\n    x[k - 1] = 1;\n  end for;\nend M;\n") == Lines{4}));
}

BOOST_AUTO_TEST_CASE(branches_with_an_equation_that_was_not_read_are_not_compared) {
  BOOST_TEST((lines("model M\n  Real x;\nequation\n  if time > 1 then\n    x = 1;\n  else\n    x = 0.q*2;\n  end if;\nend M;\n") == Lines{7}));
  BOOST_TEST((lines("model M\n  Real x, y;\nequation\n  if time > 1 then\n    x = 1 2;\n    y = 1;\n  else\n    x = 2;\n    y = 1;\n  end if;\nend M;\n") == Lines{5}));
  BOOST_TEST((lines("model M\n  discrete Real x, y;\nequation\n  when time > 1 then\n    x = 1;\n    y = 2;\n  elsewhen time > 2 then\n    x = 1;\n    y = 2 3;\n  end when;\nend M;\n") == Lines{9}));
  // What stands behind the mistake is.
  BOOST_TEST((lines("model M\n  Real x, z;\nequation\n  z = 1 2;\n  if time > 1 then\n    x = 1;\n  else\n  end if;\nend M;\n") == Lines{4, 5}));
}

BOOST_AUTO_TEST_CASE(one_mistake_in_many_places_is_one_error) {
  const Flattened f(R"(model M
  Double a;
  Double b;
  Double c;
  Double d;
  Double e;
end M;
)");
  BOOST_REQUIRE(f.diagnostics.size() == 1u);
  BOOST_REQUIRE(f.diagnostics[0].notes.size() == 3u);
  BOOST_TEST(f.diagnostics[0].notes[1].text == "the same here");
  BOOST_TEST(f.diagnostics[0].notes[2].text == "and 2 more of the same, the last one here");
}

BOOST_AUTO_TEST_SUITE_END()
