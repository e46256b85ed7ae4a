// Arrays of components without an element (MLS 10.7, 4.4.2): their elements' variables are empty arrays, of the type and the sizes that the class gives.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const std::string classes =
    "record R parameter Integer k = 2; Real v; Real w[k]; end R; connector C Real e; flow Real f; flow Real g[2]; end C; "
    "model S C c; parameter Integer m = 3; Real z[m]; R r; equation z = fill(c.e, m); c.f = c.e; c.g = {c.e, 1}; r.v = 1; r.w = {1, 2}; end S; ";

void holds(const std::string& body, double y) {
  const Run r = run(classes + "model M " + body + " end M;", 1, 1e-6, 4);
  BOOST_REQUIRE_MESSAGE(r.ended(), body + "\n" + r.diagnostics + r.message());
  BOOST_TEST(r.final("y") == y, body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(empty_arrays)

BOOST_AUTO_TEST_CASE(an_element_of_each) {
  holds("parameter Integer n = 0; S s[n]; Real y = 5 + sum(s.c.f) + sum(s.c.e);", 5);
  holds("parameter Integer n = 0; S s[n]; Real y = 5 + sum(s.z) + sum(s[:].r.w);", 5);
  holds("parameter Integer n = 0; C c[n]; Real y = 7 + sum(c.f);", 7);
  holds("parameter Integer n = 0; R r[n] = {R(v = i, w = {i, i}) for i in 1:n}; Real y = 1 + sum(r.w) + product(r.v);", 2);
}

BOOST_AUTO_TEST_CASE(their_sizes) {
  holds("parameter Integer n = 0; S s[n]; Real y = size(s.z, 1) + 10*size(s.z, 2) + 100*size(s.r.w, 2) + 1000*ndims(s.r.w);", 2230);
  holds("parameter Integer n = 0; S s[2, n]; Real y = size(s.z, 1) + 10*size(s.z, 2) + 100*size(s.z, 3);", 302);
  holds("parameter Integer n = 0; S s[n](each m = 4); Real y = size(s.z, 2);", 4);
}

BOOST_AUTO_TEST_CASE(as_values) {
  holds("function f input R r[:]; output Real y; algorithm y := size(r, 1) + 3; end f; parameter Integer n = 0; R r[n]; Real y = f(r);", 3);
  holds("model P parameter Integer n = 0; Real v[n]; end P; parameter Integer n = 0; S s[n]; P p(n = n, v = s.r.v); Real y = size(p.v, 1) + 1;", 1);
  holds("parameter Integer n = 0; S s[n]; R t[n] = s.r; Real y = size(t, 1) + 1;", 1);
}

BOOST_AUTO_TEST_CASE(in_loops_and_connections) {
  holds("parameter Integer n = 0; S s[n], t[n]; Real y = 2; equation connect(s.c, t.c); for i in 1:n loop connect(s[i].c, s[1].c); end for;", 2);
  holds("parameter Integer n = 0; S s[n]; Real y; equation y = 2 + sum(s[i].z[1] for i in 1:n);", 2);
}

BOOST_AUTO_TEST_CASE(what_they_do_not_have) {
  for (const char* body : {"S s[0]; Real y = sum(s.c.nothing);", "S s[0]; Real y = sum(s.c.e.x);"})
    BOOST_TEST(complaints(classes + "model M " + body + " end M;").find("no element") != std::string::npos, body);
  BOOST_TEST(complaints(classes + "model M S s[0]; Real y = s[1].c.e; end M;").find("outside 1:0") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
