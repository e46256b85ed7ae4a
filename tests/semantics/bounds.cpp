// min and max say what is valid (MLS 4.9): a variable that leaves them in the run is told of once.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using namespace mosim::runtime;
using boost::test_tools::tolerance;

namespace {

/// The warnings of a run, of `M`.
std::vector<Message> warnings(const std::string& body, double stop = 1) {
  const Run r = run("model M " + body + " end M;", stop, 1e-6, 100);
  BOOST_TEST(r.ended(), body + "\n" + r.diagnostics + r.message());
  return r.result.messages;
}

void one(const std::string& body, const std::string& cause, double time, double within = 0.011) {
  const auto found = warnings(body);
  BOOST_TEST_CONTEXT(body) {
    BOOST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].cause.find(cause) != std::string::npos, found[0].cause);
    BOOST_TEST(std::abs(found[0].time - time) <= within, found[0].time);
    BOOST_TEST((found[0].severity == Severity::warning));
    BOOST_TEST(found[0].origin != none);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bounds)

BOOST_AUTO_TEST_CASE(every_kind_of_variable_is_watched) {
  // x = 1.25 exp(-2t) - 0.25 is 0 at ln(5)/2.
  one("Real x(start = 1, fixed = true, min = 0, unit = \"m\"); equation der(x) = -2*x - 0.5;", "x = -", std::log(5)/2, 0.05);
  one("Real y(max = 3) = 10*time;", "is above its max = 3", 0.3);
  one("Real y(min = -3) = -10*time;", "is below its min = -3", 0.3);
  one("Integer n(start = 0, fixed = true, max = 2); equation when sample(0.1, 0.1) then n = pre(n) + 1; end when;", "n = 3 is above its max = 2", 0.3, 1e-9);
  one("type E = enumeration(a, b, c); E e(max = E.b) = if time > 0.5 then E.c else E.a;", "e = c is above its max = b", 0.5, 1e-9);
  one("Real z(start = 5, fixed = true, max = 4); equation der(z) = -10;", "z = 5 is above its max = 4", 0, 0);
  one("Real x = 10*time, y(min = -3); equation y = -x;", "y = -3.1 is below its min = -3", 0.31);
}

BOOST_AUTO_TEST_CASE(bounds_may_be_parameters) {
  one("parameter Real limit = 2; Real y(max = 2*limit) = 10*time;", "is above its max = 4", 0.4);
  one("parameter Real limit(fixed = false); Real y(max = limit) = 10*time; initial equation limit^3 = 8;", "is above its max = 2", 0.2);
  one("parameter Real p(fixed = false, min = 1); Real y = p; initial equation p = 0.5;", "p = 0.5 is below its min = 1", 0, 0);
  BOOST_TEST(complaints("model M parameter Real p(min = 1) = 0.5; end M;").find("below its minimum") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_violation_is_told_of_once) {
  one("Real y(max = 0.9) = sin(40*time);", "y = 0.", std::asin(0.9)/40);
  // Two names of one thing.
  BOOST_TEST(warnings("Real y(max = 3) = 10*time, z(max = 3) = y;").size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_rounding_and_tolerance_explain_is_no_violation) {
  BOOST_TEST(warnings("Real x(start = 1, fixed = true, min = 0); equation der(x) = -50*x;").empty());
  BOOST_TEST(warnings("Real x(start = 1e5, fixed = true, min = 0, nominal = 1e5); equation der(x) = -50*x;").empty());
  BOOST_TEST(warnings("Real y(min = 0) = 0.1 + 0.2 - 0.3, z(max = 1) = sin(time)^2 + cos(time)^2;").empty());
  BOOST_TEST(warnings("Real y(min = 0, max = 1) = time; Integer n(min = 0, max = 1) = if time > 0.5 then 1 else 0;").empty());
  BOOST_TEST(warnings("Real y(max = 1e60) = 1e50*time;").empty());
}

BOOST_AUTO_TEST_CASE(many_violations_make_few_lines) {
  const auto found = warnings("Real y[20](max = (1:20)/100) = fill(time, 20), z(min = 0) = -time;");
  BOOST_REQUIRE(found.size() == 6u);
  BOOST_TEST(found[0].cause.find("z = -0.01") == 0u, found[0].cause);
  BOOST_TEST(found[5].cause.find("16 more variables left the range of their min and max") == 0u, found[5].cause);
}

BOOST_AUTO_TEST_CASE(it_is_told_before_the_failure_that_it_explains) {
  const Run r = run("model M Real x(start = 1, fixed = true, min = 0), y; equation der(x) = -2; y = sqrt(x + 0.2); end M;");
  BOOST_TEST(!r.ended());
  BOOST_REQUIRE(r.result.messages.size() == 2u);
  BOOST_TEST((r.result.messages[0].severity == Severity::warning && r.result.messages[1].severity == Severity::error));
}

BOOST_AUTO_TEST_CASE(models_without_bounds_have_nothing_to_watch) {
  BOOST_TEST(run("model M Real x = time; Boolean b(start = true) = x > 0.5; parameter Real p(min = 0) = 1; end M;").program.bounds.empty());
}

BOOST_AUTO_TEST_SUITE_END()
