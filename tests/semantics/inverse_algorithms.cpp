// Algorithms as vector-equations (MLS 11.1): solved for their inputs where the outputs are known otherwise.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(inverse_algorithms)

BOOST_AUTO_TEST_CASE(in_the_run) {
  const Run r = run("model M Real x(start = 0.1), y, z; equation y = 0.5*time; algorithm y := sin(x); z := y; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("x") == std::asin(0.5), tolerance(1e-9));
  BOOST_TEST(r.final("z") == 0.5);
  // x + x^2 + x^3 = 3 at x = 1; the branch is taken by where that is.
  const Run loop = run("model M Real x(start = 0.1), y, z; equation y = 3*time; algorithm y := 0; for i in 1:3 loop y := y + x^i; end for; "
                       "if x > 0.5 then z := y; else z := -y; end if; end M;", 1);
  BOOST_REQUIRE_MESSAGE(loop.ended(), loop.diagnostics + loop.message());
  BOOST_TEST(loop.final("x") == 1, tolerance(1e-9));
  BOOST_TEST(loop.final("z") == 3, tolerance(1e-9));
  BOOST_TEST(loop.at("z", 0.1) == -0.3, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(at_the_start_alone) {
  const Run r = run("model M Real x, y, z; initial equation y = 0.2; equation der(x) = y; algorithm y := sin(x); z := y; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("x") == std::asin(0.2), tolerance(1e-9));
  BOOST_TEST(std::abs(r.final("x") - 2 * std::atan(std::tan(0.5 * std::asin(0.2)) * std::exp(1.0))) < 1e-5);   // of der(x) = sin(x)
}

BOOST_AUTO_TEST_CASE(not_for_what_changes_at_events_alone) {
  const Run r = run("model M Real x, y; Integer n; equation n = 3; y = x; algorithm n := if x > 0 then 1 else 2; end M;", 1);
  BOOST_TEST(!r.ended());
}

BOOST_AUTO_TEST_SUITE_END()
