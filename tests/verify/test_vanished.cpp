// The derivative of a variable that is another's for the parameter values of a run.

#include <boost/test/unit_test.hpp>

#include "tests/verify/support.hpp"

using namespace mosim;
using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(vanished)

BOOST_AUTO_TEST_CASE(equations_with_it_are_looked_at) {
  for (const char* resistance : {"R*i = u - v;", "R*i = u + v;", "u - v = R*i;"}) {
    const verify::Report r = run(std::string("model M parameter Real R = 0; Real u = 3 + sin(time), v, i; equation ") + resistance + " 2*der(v) = i; end M;");
    BOOST_TEST(r.violated.empty(), resistance);
    BOOST_TEST(r.unchecked.empty(), resistance);
    BOOST_TEST(r.equations >= 3u, resistance);
  }
}

BOOST_AUTO_TEST_SUITE_END()
