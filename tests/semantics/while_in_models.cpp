// While loops in algorithms of models (MLS 11.2.3): as many rounds as the run wants. Expected numbers are closed forms.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(while_in_models)

BOOST_AUTO_TEST_CASE(more_rounds_than_anybody_writes_out) {
  // Steps of 1 up to 50000 (1 + time), each of which adds its number: about half of the square.
  const Run r = run("model M Real n, s; algorithm n := 0; s := 0; while n + 1 <= 50000*(1 + time) loop n := n + 1; s := s + n; end while; end M;", 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("s") == 50000.0*50001.0/2);
  BOOST_TEST(r.final("s") == 100000.0*100001.0/2);
}

BOOST_AUTO_TEST_CASE(a_known_number_of_rounds_is_no_limit_either) {
  const Run r = run("model M Integer k; Real s; algorithm k := 0; s := time; while k < 300000 loop k := k + 1; s := s + 2; end while; end M;", 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("s") == 600001);
  BOOST_TEST(r.final("k") == 300000);
}

BOOST_AUTO_TEST_CASE(the_code_does_not_grow_with_the_rounds) {
  const auto instructions = [](const std::string& n) {
    const Run r = run("model M Real n, s; algorithm n := 0; s := 0; while n < " + n + "*(1 + time) loop n := n + 1; s := s + n; end while; end M;", 1, 1e-6, 2);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    return r.program.code.size();
  };
  BOOST_TEST(instructions("5") == instructions("5000"));
}

BOOST_AUTO_TEST_CASE(in_when_and_in_branches_and_with_a_break) {
  // At 0.1, 0.2, ... 700 more rounds each; the last ten numbers stand in v, where their last digit puts them.
  const Run r = run(
      "model M Integer n(start = 0, fixed = true); Integer k; Real v[10]; algorithm when sample(0.1, 0.1) then k := 0; "
      "if n < 10000 then while true loop if k >= 700 + n then break; end if; k := k + 1; v[mod(k, 10) + 1] := k; end while; end if; n := k; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("n") == 7000);
  BOOST_TEST(r.final("v[1]") == 7000);
  BOOST_TEST(r.final("v[2]") == 6991);
}

BOOST_AUTO_TEST_CASE(its_derivative_is_that_of_the_rounds) {
  // Newton's method for the square root inside of a differential equation: der(x) = -sqrt(x), x = (1 - t/2)^2; the Jacobian goes through the loop.
  const Run r = run("model M Real x(start = 1, fixed = true); Real y; equation der(x) = -y; algorithm y := x; while abs(y*y - x) > 1e-13 loop y := 0.5*(y + x/y); end while; end M;",
                    1, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - 0.25) < 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
