// A redeclaration's own modifiers come before those that the replaceable element brings (MLS 7.3.2).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(own_modifiers)

namespace {
const std::string types = "package P\nmodel Part parameter Real w = 1; parameter Real v = 7; end Part;\nmodel More extends Part; parameter Real u = 3; end More;\n"
                          "function of input Real x; output Real y; end of;\n"
                          "function line extends of; input Real c[2]; algorithm y := c[1] + c[2]*x; end line;\nend P;\n";
}  // namespace

BOOST_AUTO_TEST_CASE(of_a_class_as_of_a_component) {
  for (const std::string constraint : {"", " constrainedby P.Part(w = 5, v = 6)"}) {
    const Run r = run(types + "model W replaceable model T = P.Part(w = 5, v = 6)" + constraint + "; T t; replaceable P.Part c(w = 5, v = 6)" + constraint + "; end W;\n"
                      "model M W one(redeclare model T = P.More(w = 10), redeclare P.More c(w = 10)), two(redeclare model T = P.More, redeclare P.More c); "
                      "Real s[8] = {one.t.w, one.t.v, one.c.w, one.c.v, two.t.w, two.t.v, two.c.w, two.c.v}; Real u = one.t.u; end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    const double expected[] = {10, 6, 10, 6, 5, 6, 5, 6};
    for (int k = 0; k < 8; ++k) BOOST_TEST(r.final("s[" + std::to_string(k + 1) + "]") == expected[k], "s[" << k + 1 << "] with constraint `" << constraint << "`");
  }
}

// As the characteristics of pumps are given: arrays for the inputs of a function.
BOOST_AUTO_TEST_CASE(of_a_function) {
  const Run r = run(types + "model Pump replaceable function f = P.line(c = {0, 0}); Real y = f(2*time); end Pump;\n"
                    "model M Pump a, b(redeclare function f = P.line(c = {1, 3})); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("a.y") == 0);
  BOOST_TEST(r.final("b.y") == 7);
}

// Of two redeclarations the outer one counts, and what it leaves open has the modifiers of the declaration.
BOOST_AUTO_TEST_CASE(of_one_redeclaration_after_another) {
  const Run r = run(types + "model W replaceable model T = P.Part(w = 5, v = 6); T t; end W;\n"
                    "model V extends W(redeclare replaceable model T = P.More(w = 8)); end V;\n"
                    "model M V a, b(redeclare model T = P.Part(w = 9)), c(t(w = 11)); Real s[6] = {a.t.w, a.t.v, b.t.w, b.t.v, c.t.w, c.t.v}; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double expected[] = {8, 6, 9, 6, 11, 6};
  for (int k = 0; k < 6; ++k) BOOST_TEST(r.final("s[" + std::to_string(k + 1) + "]") == expected[k]);
}

BOOST_AUTO_TEST_CASE(what_is_final_stays) {
  const std::string c = complaints(types + "model W replaceable model T = P.Part(final w = 5); T t; end W;\nmodel M W a(redeclare model T = P.More(w = 10)); end M;");
  BOOST_TEST(c.find("error: this element is final and cannot be modified") != std::string::npos, c);
}

BOOST_AUTO_TEST_SUITE_END()
