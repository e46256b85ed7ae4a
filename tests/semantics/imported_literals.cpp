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
