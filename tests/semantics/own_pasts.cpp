// MLS 8.6: each discrete variable has a pre of its own at the start, be it the negation of another.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(own_pasts)

namespace {
// As the blocks of the standard library are written.
const std::string blocks =
    "block Past input Boolean u; output Boolean y; parameter Boolean s = false; initial equation pre(u) = s; equation y = pre(u); end Past;\n"
    "block Rises input Boolean u; output Boolean y; parameter Boolean s = false; initial equation pre(u) = s; equation y = edge(u); end Rises;\n";
}  // namespace

// a = not u begins with pre(a) = false, u with pre(u) = false: both say so, and neither contradicts the other.
BOOST_AUTO_TEST_CASE(a_signal_and_its_negation_may_both_start_from_false) {
  const Run r = run(blocks + "model M Past a; Rises b; Boolean u = time > 0.5; Integer n(start = 0, fixed = true); "
                             "equation a.u = not u; b.u = u; when b.y then n = pre(n) + 1; end when; end M;");
  BOOST_TEST(r.ended());
  BOOST_TEST(r.diagnostics.empty());
  BOOST_TEST(r.initial("a.y") == 1);   // after the rounds of the start: pre(a.u) = a.u = not u
  BOOST_TEST(r.initial("b.y") == 0);
  BOOST_TEST(r.final("a.y") == 0);
  BOOST_TEST(r.final("n") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
