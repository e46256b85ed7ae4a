// Parameters: their order, where conditions of theirs decide it (MLS 4.5).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(a_circle_through_branches_that_are_not_taken_is_none) {
  const std::string body =
      " parameter Real large = if relative then 50 else 100*small; parameter Real small = if relative then 0.02*large else 3;"
      " Real x = large*time; Real y = small*time; end M;";
  const Run relative = run("model M parameter Integer mode = 1; parameter Boolean relative = mode == 1;" + body);
  BOOST_REQUIRE_MESSAGE(relative.ended(), relative.diagnostics);
  BOOST_TEST(relative.final("x") == 50);
  BOOST_TEST(relative.final("y") == 1);
  const Run absolute = run("model M parameter Integer mode = 2; parameter Boolean relative = mode == 1;" + body);
  BOOST_REQUIRE_MESSAGE(absolute.ended(), absolute.diagnostics);
  BOOST_TEST(absolute.final("x") == 300);
  BOOST_TEST(absolute.final("y") == 3);
}

BOOST_AUTO_TEST_CASE(a_condition_declared_after_what_it_decides) {
  const Run r = run("model M parameter Real a = (if c then 2*b else 7) + (if c then 0 else 1); parameter Real b = if c then 4 else a; parameter Boolean c = n > 2;"
                    " parameter Integer n = 3; Real x = a + b; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("x") == 12);
}

BOOST_AUTO_TEST_CASE(a_circle_that_remains_is_an_error) {
  BOOST_TEST(complaints("model M parameter Boolean c = true; parameter Real a = if c then b else 1; parameter Real b = if c then a else 2; Real x = a*time; end M;")
                 .find("parameters depend on each other in a circle: a -> b -> a") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
