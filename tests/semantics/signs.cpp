// sign(x) makes no event of its own (MLS 3.7.1.1), so what is Integer may vary between events: what rounds or compares it does.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(signs)

BOOST_AUTO_TEST_CASE(rounded_and_compared) {
  const Run r = run(
      "model M Real x(start = -0.5, fixed = true); Integer k = integer(sign(x)), n(start = 0, fixed = true), i = mod(sign(x) + 1, 3); equation der(x) = 1; "
      "when sign(x) > 0 then n = pre(n) + 1; end when; end M;", 1, 1e-6, 20);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const double t : {0.1, 0.45, 0.55, 1.0}) {
    BOOST_TEST(r.at("k", t) == (t < 0.5 ? -1 : 1));
    BOOST_TEST(r.at("i", t) == (t < 0.5 ? 0 : 2));
    BOOST_TEST(r.at("n", t) == (t < 0.5 ? 0 : 1));
  }
}

BOOST_AUTO_TEST_CASE(of_time) {
  const Run r = run(
      "model M Integer i = integer(1 + 3*sign(time - 0.3)), m(start = 0, fixed = true); equation when integer(2*sign(time - 0.7)) > 1 then m = pre(m) + 1; end when; end M;",
      1, 1e-6, 20);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const double t : {0.1, 0.25, 0.35, 0.65, 0.75, 1.0}) {
    BOOST_TEST(r.at("i", t) == (t < 0.3 ? -2 : 4));
    BOOST_TEST(r.at("m", t) == (t < 0.7 ? 0 : 1));
  }
}

// abs(x) is noEvent(if x >= 0 then x else -x), so its derivative at 0 is that of x (MLS 3.7.1.1).
BOOST_AUTO_TEST_CASE(derivative_of_abs_at_its_kink) {
  std::string nested = "time - 0.5";   // its derivative is no longer than itself
  for (int i = 0; i < 60; ++i) nested = "abs(" + nested + ")";
  for (const std::string& y : {std::string("abs(time - 0.5)"), std::string("f(time - 0.5)"), std::string("f(abs(time - 0.5))"), nested}) {
    const Run r = run(std::string("function f input Real x; output Real y; algorithm y := 0; for i in 1:4 loop y := y + abs(x)/4; end for; annotation(Inline = false); end f; "
                                  "model M Real y = ") + y + ", v = der(y); Real z = 2*y, w = der(z); end M;", 1, 1e-6, 20);
    BOOST_REQUIRE_MESSAGE(r.ended(), y << "\n" << r.diagnostics << r.message());
    for (const double t : {0.1, 0.45, 0.5, 0.55, 1.0}) {
      BOOST_TEST(r.at("v", t) == (t < 0.5 ? -1 : 1), boost::test_tools::tolerance(1e-12));
      BOOST_TEST(r.at("w", t) == (t < 0.5 ? -2 : 2), boost::test_tools::tolerance(1e-12));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
