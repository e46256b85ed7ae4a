// edge and change hold in the first row where the initial conditions give pre of their argument: the rounds of an event that falls
// on the start come after it.

#include <boost/test/unit_test.hpp>

#include "tests/verify/support.hpp"

using namespace mosim;
using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(first_row)

BOOST_AUTO_TEST_CASE(edges_before_an_event_at_the_start) {
  const verify::Report r = run("model M Boolean u = true; Boolean y = edge(u), z = change(u); Integer n(start = 0, fixed = true); "
                               "initial equation pre(u) = false; equation when sample(0, 0.4) then n = pre(n) + 1; end when; end M;");
  BOOST_TEST(r.violated.empty(), texts(r));
}

BOOST_AUTO_TEST_SUITE_END()
