// Systems of equations that are not linear and at some instants say the same twice: what they leave open keeps its value, as in linear ones.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(undetermined)

// A pipe whose both ends are closed from t = 0.5 on: no flow, so that the pressures at its ends are equal, whatever they are. When they open
// again at t = 1, both are given.
BOOST_AUTO_TEST_CASE(a_pipe_with_two_closed_ends) {
  const Run r = run(
      "model M Real p(start = 5), r(start = 0), q, b; Boolean open = time < 0.5 or time > 1; Real x(start = 0, fixed = true); equation "
      "q = (p - r)^3 + (p - r); b = q + 0*r; 0 = if open then p - 5 else q; 0 = if open then r - time else b; der(x) = q; end M;",
      1.5, 1e-8, 30);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  for (const double t : {0.55, 0.75, 0.95}) {
    BOOST_TEST(std::abs(r.at("q", t)) < 1e-9);
    BOOST_TEST(std::abs(r.at("p", t) - r.at("r", t)) < 1e-9);
  }
  BOOST_TEST(r.at("p", 0.25) == 5);
  BOOST_TEST(r.at("r", 1.25) == 1.25);
  // The integral of u^3 + u with u = 5 - t over 0 ... 0.5 and 1 ... 1.5.
  const auto integral = [](double a, double b) { return (std::pow(5 - a, 4) - std::pow(5 - b, 4))/4 + (std::pow(5 - a, 2) - std::pow(5 - b, 2))/2; };
  BOOST_TEST(r.final("x") == integral(0, 0.5) + integral(1, 1.5), boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_contradicts_itself_is_an_error) {
  const Run r = run(
      "model M Real p(start = 5), r(start = 0), q, b; Boolean open = time < 0.5; equation "
      "q = (p - r)^3 + (p - r); b = q + 1; 0 = if open then p - 5 else q; 0 = if open then r - time else b; end M;", 1, 1e-8, 30);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("has no solution") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_SUITE_END()
