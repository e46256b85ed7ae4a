// What the run finds out for the compiler is said as it is: an assertion is something that the model says (E12).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(own_limits)

BOOST_AUTO_TEST_CASE(sizes_that_differ) {
  const Run r = run("function f input Integer n; output Real y; protected Real v[n] = 1:n; algorithm y := sum(v[2:n] + v); end f; "
                    "model M Real y = f(integer(2 + time)); end M;", 1);
  BOOST_TEST(r.message().find("the sizes 1 and 2 differ") != std::string::npos, r.message());
  BOOST_TEST(r.message().find("assertion") == std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(an_assertion_of_the_model_is_called_one) {
  const Run r = run("model M Real x = time; equation assert(x < 0.5, \"half\"); end M;", 1);
  BOOST_TEST(r.message().find("assertion failed: half") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_SUITE_END()
