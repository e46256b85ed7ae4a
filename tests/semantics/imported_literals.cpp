// An import clause that brings a literal of an enumeration: only elements of packages may be imported (MLS 13.2), but the library of
// Modelica by Example does it, and other tools take it.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(imported_literals)

BOOST_AUTO_TEST_CASE(a_literal_by_its_own_name) {
  const std::string p = "package P model Valve type Way = enumeration(shut, half, full); parameter Way way = Way.shut; Real rate = if way == Way.full then 2*time else 0; end Valve; end P; ";
  for (const std::string import : {"import P.Valve.Way.full;", "import full = P.Valve.Way.full;"}) {
    const Run r = run(p + "model M " + import + " P.Valve v(way = full); P.Valve w; end M;", 1.5);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    BOOST_TEST(r.final("v.rate") == 3);
    BOOST_TEST(r.final("w.rate") == 0);
    BOOST_TEST(r.diagnostics.find("full is a literal of the enumeration P.Valve.Way, and only elements of packages can be imported") != std::string::npos, r.diagnostics);
    BOOST_TEST(r.diagnostics.find("write import P.Valve.Way; and then Way.full") != std::string::npos, r.diagnostics);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_literal) {
  const Run r = run("package P type Way = enumeration(shut, full); end P; model M import P.Way.open; parameter P.Way way = open; end M;", 1);
  BOOST_TEST(!r.ended());
}

// Enumerations with the same literals in the same order are one type (MLS 6.4, 6.7): a library's own copy of another's type fits.
BOOST_AUTO_TEST_CASE(the_same_literals_in_two_packages) {
  const std::string p = "package P type A = enumeration(u, v); type B = enumeration(u, v); type C = enumeration(v, u); connector OutA = output A; connector InB = input B; "
                        "block Source OutA y = if time < 0.5 then A.u else A.v; end Source; block Sink InB u; B w = u; Boolean second = u == B.v; end Sink; "
                        "function f input A a; output Integer n = Integer(a); end f; end P; model M import P.*; ";
  const Run r = run(p + "parameter B b = A.v; parameter A a = b; Source s; Sink k; Integer n = f(B.v) + f(k.w); Real x[A] = {1, 2}; Real xv = x[B.v]; Boolean same = a == b and A.u < B.v; "
                    "B mixed = if time < 0.2 then A.u else B.v; A z(start = B.v); equation connect(s.y, k.u); z = B.u; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.final("k.w") == 2);
  BOOST_TEST(r.final("k.second") == 1);
  BOOST_TEST(r.final("n") == 4);
  BOOST_TEST(r.final("same") == 1);
  BOOST_TEST(r.final("mixed") == 2);
  BOOST_TEST(r.final("xv") == 2);
  BOOST_TEST(r.final("z") == 1);
  for (const std::string wrong : {"A a = C.v;", "Boolean same = A.u == C.u;", "Integer n = f(C.u);"}) {
    const Run other = run(p + wrong + " end M;");
    BOOST_TEST(!other.ended(), wrong);
    BOOST_TEST(other.diagnostics.find("P.C") != std::string::npos, other.diagnostics);
    BOOST_TEST(other.diagnostics.find("the same literals in the same order") != std::string::npos, other.diagnostics);
  }
}

// An external object may be declared as a type as well.
BOOST_AUTO_TEST_CASE(a_table_that_is_a_type) {
  const Run r = run("type Table extends ExternalObject; function constructor input String s; input String f; input Real t[:, :]; input Integer d; input Integer m; input Integer e; output Table o; "
                    "external \"C\" o = ModelicaStandardTables_CombiTable1D_init2(f, s, t, size(t, 1), size(t, 2), {2}, 1, m, e, true); end constructor; "
                    "function destructor input Table o; external \"C\" ModelicaStandardTables_CombiTable1D_close(o); end destructor; end Table; "
                    "function at input Table o; input Real u; output Real y; external \"C\" y = ModelicaStandardTables_CombiTable1D_getValue(o, 1, u); end at; "
                    "model M Table o = Table(\"NoName\", \"NoName\", [0, 0; 1, 3; 2, 7], 2, 1, 1); Real y = at(o, time); end M;", 1.5);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.final("y") == 5, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
