// What the run finds out for the compiler is said as it is: an assertion is something that the model says (E12).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(own_limits)

BOOST_AUTO_TEST_CASE(rounds_of_a_while_loop) {
  const Run r = run("model M\n  Real x, n;\nalgorithm\n  x := time;\n  n := 0;\n  while x >= 0 loop\n    n := n + 1;\n  end while;\nend M;\n", 1);
  BOOST_TEST(r.message().find("rounds") != std::string::npos, r.message());
  BOOST_TEST(r.message().find("assertion") == std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(an_assertion_of_the_model_is_called_one) {
  const Run r = run("model M Real x = time; equation assert(x < 0.5, \"half\"); end M;", 1);
  BOOST_TEST(r.message().find("assertion failed: half") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_SUITE_END()
