// Operators of operator records between a number and a vector of records (MLS 14.5): a function for two vectors has no place for the
// number, even if a constructor makes a record of it, so the elements are taken one by one.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const std::string pair =
    "operator record Pair Real p; Real q; "
    "encapsulated operator 'constructor' import Pair; function of_one input Real p; input Real q = 0; output Pair result(p = p, q = q); algorithm end of_one; end 'constructor'; "
    "encapsulated operator '*' import Pair; "
    "function product input Pair a; input Pair b; output Pair c; algorithm c := Pair(a.p*b.p - a.q*b.q, a.p*b.q + a.q*b.p); end product; "
    "function along input Pair a[:]; input Pair b[size(a, 1)]; output Pair c; algorithm c := Pair(0, 0); "
    "for i in 1:size(a, 1) loop c := Pair(c.p + a[i].p*b[i].p + a[i].q*b[i].q, c.q + a[i].p*b[i].q - a[i].q*b[i].p); end for; end along; end '*'; end Pair; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(overloaded_vectors)

// 2 (1 + 3i, 4 - i) = (2 + 6i, 8 - 2i), from either side; the inner product conj(u) . u is 1 + 9 + 16 + 1.
BOOST_AUTO_TEST_CASE(a_number_times_a_vector) {
  for (const char* product : {"n*u", "u*n"}) {
    const Run r = run(pair + "model M parameter Real n = 2; Pair u[2] = {Pair(1, 3), Pair(4, -1)}; Pair v[2] = " + product + "; Pair s = u*u; end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.final("v[1].p") == 2);
    BOOST_TEST(r.final("v[1].q") == 6);
    BOOST_TEST(r.final("v[2].p") == 8);
    BOOST_TEST(r.final("v[2].q") == -2);
    BOOST_TEST(r.final("s.p") == 27);
    BOOST_TEST(r.final("s.q") == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
