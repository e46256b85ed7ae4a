// External functions and objects (MLS 12.9): the C functions of the standard library's interface, called by their names.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "compiler/compile.hpp"
#include "support.hpp"

using namespace mosim::tests;

namespace {

const std::string tables = R"(
class Table extends ExternalObject;
  function constructor input String tableName; input String fileName; input Real table[:,:]; input Integer columns[:]; input Integer smoothness; output Table object;
    external "C" object = ModelicaStandardTables_CombiTable1D_init2(fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, 1, false);
  end constructor;
  function destructor input Table object; external "C" ModelicaStandardTables_CombiTable1D_close(object); end destructor;
end Table;
function at input Table object; input Integer column; input Real u; output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(object, column, u);
  annotation (derivative = slope);
end at;
function slope input Table object; input Integer column; input Real u; input Real der_u; output Real der_y;
  external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(object, column, u, der_u);
end slope;
function last input Table object; output Real u; external "C" u = ModelicaStandardTables_CombiTable1D_maximumAbscissa(object); end last;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(external_functions)

BOOST_AUTO_TEST_CASE(a_table_is_made_once_and_looked_up) {
  // y is 2u up to 1, then 3 - u up to 3: its integral from 0 to 3 is 1 + 2.
  const Run r = run(tables + "model M parameter Table t = Table(\"NoName\", \"NoName\", [0, 0; 1, 2; 3, 0], {2}, 1); Real u = last(t) + 0*time; Real x(start = 0, fixed = true); "
                    "equation der(x) = at(t, 1, time); end M;", 3, 1e-8, 300);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - 3) < 1e-4);
  BOOST_TEST(r.final("u") == 3);
}

// The unknown is the argument of the function: its derivative comes from the interface's own.
BOOST_AUTO_TEST_CASE(a_table_turned_around) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    const Run r = run(tables + "model M Table t = Table(\"NoName\", \"NoName\", [0, 0; 1, 1; 2, 4; 3, 9; 4, 16], {2}, 1); Real u(start = 0.5), v(start = 0); "
                      "equation at(t, 1, u) = 1 + 3*time; v + 0.1*at(t, 1, v) = time; end M;", 1, tolerance, 10);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    for (const double t : {0.1, 0.5, 1.0}) {
      BOOST_TEST(r.at("u", t) == 1 + t, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(r.at("v", t) == t/1.1, boost::test_tools::tolerance(1e-12));
    }
  }
}

BOOST_AUTO_TEST_CASE(texts_in_and_out) {
  const Run r = run(
      "function part input String s; input Integer first; input Integer last; output String t; external \"C\" t = ModelicaStrings_substring(s, first, last); end part; "
      "function length input String s; output Integer n; external \"C\" n = ModelicaStrings_length(s); end length; "
      "model M String a = part(\"bouncing ball\", 1, 8), b; Integer n = length(a), m; discrete Integer k(start = 0, fixed = true); "
      "equation b = part(if time > 0.5 then \"drop\" else \"roll it\", 2, 9); m = length(b); when sample(0.2, 0.2) then k = pre(k) + length(part(\"abcdef\", 1, 1 + pre(k))); end when; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("n") == 8);
  BOOST_TEST(r.at("m", 0.3) == 6);
  BOOST_TEST(r.final("m") == 3);
  BOOST_TEST(r.at("k", 0.9) == 13);   // 1, 3, 7, and then all 6 letters more
}

// Sizes may come from a function that is carried out before the run; the order of its operands is that of the call.
BOOST_AUTO_TEST_CASE(sizes_known_before_the_run) {
  const Run r = run(
      "function length input String s; output Integer n; external \"C\" n = ModelicaStrings_length(s); end length; "
      "function scan input String s; input Integer from = 1; output Integer next; output Real x; external \"C\" ModelicaStrings_scanReal(s, from, false, next, x); end scan; "
      "model M parameter Integer n = length(\"four\"); Real v[n] = {i*time for i in 1:n}; Real x; Integer next; equation (next, x) = scan(\"3.25 m\"); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("v[4]") == 4);
  BOOST_TEST(r.final("x") == 3.25);
  BOOST_TEST(r.final("next") == 5);
}

// Without a call in the clause: the name of the function, its inputs in order, arrays with their sizes behind them (MLS 12.9.1.2).
BOOST_AUTO_TEST_CASE(the_default_call) {
  const Run r = run("function ModelicaStrings_length input String s; output Integer n; external; end ModelicaStrings_length; model M Integer n = ModelicaStrings_length(\"seven..\"); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("n") == 7);
}

BOOST_AUTO_TEST_CASE(what_a_function_says_ends_the_run) {
  const Run r = run(tables + "model M Table t = Table(\"NoName\", \"NoName\", [0, 0; 1, 2; 0.5, 0], {2}, 1); Real y = at(t, 1, time); end M;");
  BOOST_REQUIRE(r.compiled);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("0.5") != std::string::npos, r.message());
  const Run file = run(tables + "model M Table t = Table(\"a\", \"nowhere/none.txt\", zeros(0, 2), {2}, 1); Real y = at(t, 1, time); end M;");
  BOOST_REQUIRE(file.compiled);
  BOOST_TEST(!file.ended());
  BOOST_TEST(file.message().find("nowhere/none.txt") != std::string::npos, file.message());
}

// The flat model is Modelica text with the same results.
BOOST_AUTO_TEST_CASE(the_flat_model_reads_back) {
  const std::string model = "model M parameter Table t = Table(\"NoName\", \"NoName\", [0, 0; 1, 2; 3, 0], {2}, 1); Real x(start = 0, fixed = true); equation der(x) = at(t, 1, time); end M;";
  mosim::compiler::Reading reading;
  reading.library.read_text("test.mo", tables + model);
  mosim::compiler::Compilation compilation(reading, {"M", {}});
  BOOST_REQUIRE(compilation.flat());
  const std::string text = mosim::compiler::print(*compilation.flat());
  const Run again = run(text, 3, 1e-8, 300), first = run(tables + model, 3, 1e-8, 300);
  BOOST_REQUIRE_MESSAGE(again.ended() && first.ended(), text + again.diagnostics + again.message());
  BOOST_TEST(again.final("x") == first.final("x"));
}

BOOST_AUTO_TEST_CASE(rules_of_external_objects) {
  const auto refused = [](const std::string& text, const std::string& words) {
    const Run r = run(text);
    BOOST_TEST(!r.compiled);
    BOOST_TEST(r.diagnostics.find(words) != std::string::npos, words + " is not in: " + r.diagnostics);
  };
  refused(tables + "model M Table t = Table(\"NoName\", \"NoName\", [0, 0; 1, 2], {2}, 1); Real y = t; end M;", "Table");
  refused(tables + "model M Table t = Table(\"NoName\", \"NoName\", [0, 0; 1, 2], {2}, 1); Real y = abs(t); end M;", "abs has no meaning for Table");
  refused("class Half extends ExternalObject; function destructor input Half h; external \"C\" f(h); end destructor; end Half; model M Half h; end M;", "has no constructor");
  refused("class More extends ExternalObject; Real x; function constructor output More m; external \"C\" m = f(); end constructor; "
          "function destructor input More h; external \"C\" f(h); end destructor; end More; model M More h; end M;", "nothing else, not x");
}

BOOST_AUTO_TEST_SUITE_END()
