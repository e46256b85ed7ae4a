// Variables of functions whose declared values need others that are declared behind them (MLS 12.4.4).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(declared_later)

BOOST_AUTO_TEST_CASE(in_results_and_code) {
  // Both append a zero.
  const std::string function = "input Real u[:]; output Real y[n + 1] = cat(1, u, zeros(n + 1 - size(u, 1))); protected Integer n = k; Integer k = size(u, 1); algorithm ";
  const Run r = run("function known " + function + "end known; function code " + function + "for i in 1:integer(u[1]) loop y[i] := y[i] + 1; end for; end code; "
                    "model M Real a[3] = known({1, 2}), b[3] = known({time, 2}), c[4] = code({integer(2 + time), 5, 7}); end M;", 0.5);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double a[] = {1, 2, 0}, b[] = {0.5, 2, 0}, c[] = {3, 6, 7, 0};
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(r.final("a[" + std::to_string(i + 1) + "]") == a[i]);
    BOOST_TEST(r.final("b[" + std::to_string(i + 1) + "]") == b[i]);
  }
  for (int i = 0; i < 4; ++i) BOOST_TEST(r.final("c[" + std::to_string(i + 1) + "]") == c[i]);
}

BOOST_AUTO_TEST_SUITE_END()
