// Constants of packages whose values a long function gives, first asked for inside of another function: they are found by themselves,
// whatever is being done with the function that needs them (MLS 4.5.1, 12).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(constants_from_functions)

BOOST_AUTO_TEST_CASE(a_record_and_what_is_made_of_it) {
  // p goes through 2000 steps of s := s + k*ref, which come to 2001000*ref; h = 2*p.
  const Run r = run(
      "package A record State Real p; Real h; end State; constant Real ref = 3; "
      "function set input Real p; output State s; protected Real sum = 0; algorithm for k in 1:2000 loop sum := sum + k*p; end for; s := State(p = sum, h = 2*sum); end set; "
      "function both input State s; output Real d; algorithm d := s.p + s.h; end both; "
      "constant Real d = both(state); constant State state = set(ref); "
      "function use input Real x; output Real y; algorithm y := d*x + state.h; end use; "
      "function around input Real x; output Real y; algorithm y := use(x) + use(2*x); end around; end A; "
      "model M Real y = A.around(time); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double p = 2001000.0*3;
  BOOST_TEST(r.final("y") == 3*3*p + 2*2*p);
}

BOOST_AUTO_TEST_CASE(in_a_loop_of_a_function_that_is_code) {
  const Run r = run(
      "package A constant Real c[3] = f(1.0); "
      "function f input Real x; output Real y[3]; protected Real sum = 0; algorithm for k in 1:1000 loop sum := sum + k*x; end for; y := {sum, 2*sum, 3*sum}; end f; end A; "
      "function g input Real x; input Integer n; output Real y; algorithm y := 0; for k in 1:n loop y := y + x*A.c[k]; end for; end g; "
      "model M discrete Integer n(start = 3, fixed = true); Real y = g(time, n); equation when time > 2 then n = 2; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("y") == 6*500500.0);
}

BOOST_AUTO_TEST_SUITE_END()
