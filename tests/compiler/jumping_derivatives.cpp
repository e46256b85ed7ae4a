// Derivatives of what jumps (MLS 3.7.4: der needs something continuous): named with their places. What is continuous is left alone.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::contains;

namespace {

std::string said(const std::string& body) { return test::model(body).messages(); }

void is_told(const std::string& body, const std::string& what) {
  const std::string text = said(body);
  BOOST_TEST(contains(text, what), text << " of " << body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(jumping_derivatives)

BOOST_AUTO_TEST_CASE(of_a_value_that_changes_at_events_alone) {
  is_told("Real u, y;\nequation\n u = if time > 0.5 then 1 else 0;\n y = der(u);", "warning 5: der(u) is 0 between events and leaves out the jumps: u changes at events alone");
  is_told("Real u, y;\nequation\n u = if time > 0.5 then 1 else 0;\n y = der(u);", "note 4: this makes u jump");
  is_told("Real v = floor(3*time), a = der(v);", "der(v) is 0 between events");
  // Asked for by index reduction.
  is_told("Real x, v, F; equation x = if time > 0.5 then 1 else 0; der(x) = v; der(v) = F;", "der(x) is 0 between events");
  is_told("Real v(start = 1, fixed = true), f, d; equation f = 2*sign(v); der(v) = -f; d = der(f);", "der(f) leaves out the jumps");
  // An expression, without a name.
  is_told("Real a = der(2*floor(3*time));", "is 0 between events");
  for (const char* const fine : {"Real x = if time > 0.5 then time - 0.5 else 0, v = der(x);", "Real x(start = 0, fixed = true), u = if time > 0.5 then 1 else 0; equation der(x) = u;",
                                 "parameter Real p = 2; Real x = p, v = der(x);", "Real x = sin(time), v = der(x), a = der(v);"})
    BOOST_TEST(said(fine) == "", fine);
}

BOOST_AUTO_TEST_CASE(of_what_is_less_smooth_than_asked_for) {
  is_told("Real x, v, F;\nequation\n x = smooth(0, if time > 0.5 then time - 0.5 else 0);\n der(x) = v;\n der(v) = F;",
          "warning 6: x is differentiated 2 times, but it is no more than continuous: its first derivative may jump");
  is_told("Real x = smooth(1, if time > 0.5 then (time - 0.5)^2 else 0), v = der(x), a = der(v), j = der(a);", "x is differentiated 3 times, but no more than 1 derivative of it is continuous: its second");
  is_told("Real x = abs(time - 0.5), v = der(x), a = der(v);", "x is differentiated 2 times");
  for (const char* const fine : {"Real x = smooth(0, if time > 0.5 then time - 0.5 else 0), v = der(x);", "Real x = smooth(1, if time > 0.5 then (time - 0.5)^2 else 0), v = der(x), a = der(v);",
                                 "Real x = max(time, 0.5), v = der(x);"})
    BOOST_TEST(said(fine) == "", fine);
}

BOOST_AUTO_TEST_SUITE_END()
