// Rules that libraries in wide use break, and that other tools do not check: an error in the user's own text, a warning
// where it stands in a library. What is not supported yet is told once, without what follows from it.

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

namespace {

/// What is said of M in `model`, with `library` beside it (its package is called L).
struct Told {
  std::string text;
  bool accepted = false;
};
Told told(const std::string& library, const std::string& model) {
  compiler::Reading reading(compiler::Bundled::without);
  reading.library.add_bundled("L", "L.mo", library);
  reading.library.read_text("test.mo", model);
  Told result;
  compiler::Compilation(reading, {"M", {}}).program();
  result.accepted = !parser::has_errors(reading.diagnostics);
  result.text = reading.said();
  return result;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// The same text as a library, and as the user's own.
void check(const std::string& package, const std::string& wrong, const std::string& lenient) {
  const std::string model = "model M extends L.A; end M;";
  const Told ours = told("package K end K;", package + model);
  BOOST_TEST(!ours.accepted);
  BOOST_TEST(contains(ours.text, "error: " + wrong), ours.text);
  const Told theirs = told(package, model);
  BOOST_TEST(theirs.accepted, theirs.text);
  BOOST_TEST(contains(theirs.text, "warning: " + lenient), theirs.text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(library_leniency)

BOOST_AUTO_TEST_CASE(a_class_inside_a_partial_package) {
  check("package L partial package P model B Real x = 1; end B; end P; model A P.B b; end A; end L;",
        "L.P is partial, so nothing in it can be named from outside", "this library names a class inside of L.P, which is partial");
  // The user's own text is held to the rule, whose ever the package is.
  BOOST_TEST(!told("package L partial package P model B Real x = 1; end B; end P; end L;", "model M L.P.B b; end M;").accepted);
}

BOOST_AUTO_TEST_CASE(each_where_there_is_no_array) {
  check("package L model B parameter Real k = 1; end B; model A B b(each k = 2); end A; end L;", "each has no meaning here",
        "`each` stands in this library where there is no array");
}

BOOST_AUTO_TEST_CASE(an_output_declared_twice_and_differently) {
  check("package L type U = Real(unit = \"J\"); partial function b input Real x; output Real u; end b; function f extends b; output U u; algorithm u := 2*x; end f; model A Real y = f(time); end A; end L;",
        "u is declared in L.f and, differently, in a class it extends", "an element is declared in this library and, differently, in a class that it extends");
  // In a model it is an error wherever it stands.
  BOOST_TEST(!told("package L model B parameter Real k = 1; end B; model A extends B; parameter Integer k = 2; end A; end L;", "model M extends L.A; end M;").accepted);
}

BOOST_AUTO_TEST_CASE(a_redeclared_function_whose_input_has_no_default_value) {
  check("package L partial package I replaceable partial function f input Real x; input Real y = 1; output Real z; end f; end I; "
        "package J extends I; redeclare function f input Real x; input Real y; output Real z; algorithm z := x + y; end f; end J; "
        "model D replaceable package Med = I; Real z = Med.f(time, 2); end D; model A extends D(redeclare package Med = J); end A; end L;",
        "L.J is not compatible with the constraining type of Med: f: its input y needs a default value", "a class of a library is not quite compatible");
  // What has fewer elements is refused wherever it stands.
  BOOST_TEST(!told("package L model B Real x = 1; end B; model C Real x = 2; Real y = 3; end C; model D replaceable C c; end D; model A extends D(redeclare B c); end A; end L;",
                   "model M extends L.A; end M;").accepted);
}

BOOST_AUTO_TEST_CASE(an_impure_call_in_an_equation) {
  check("package L impure function say input Real x; algorithm Modelica.Utilities.Streams.print(String(x)); end say; model A equation say(time); end A; end L; "
        "package Modelica package Utilities package Streams impure function print input String s; external \"C\" ModelicaInternal_print(s, \"\"); end print; end Streams; end Utilities; end Modelica; ",
        "L.say is impure, and nothing here says when it is to be called", "this library calls L.say, which is impure, without saying when: it is called after every step");
}

BOOST_AUTO_TEST_CASE(a_start_value_of_what_is_protected) {
  check("package L model B protected Real x(start = 1, fixed = true); equation der(x) = -x; end B; model A B b(x(start = 2)); end A; end L;",
        "x is protected in L.B and cannot be modified from outside", "this library modifies what is protected");
  BOOST_TEST(!told("package L model B protected Real x = 1; end B; model A B b(x = 2); end A; end L;", "model M extends L.A; end M;").accepted);
}

BOOST_AUTO_TEST_CASE(a_result_that_is_not_always_assigned) {
  const std::string package = "package L function f input Real u; output Real y; algorithm if u > 1 then y := 1; end if; end f; model A Real x = f(time); end A; end L;";
  const Told theirs = told(package, "model M extends L.A; end M;");
  BOOST_TEST(theirs.accepted, theirs.text);   // the run looks
  const Told ours = told("package K end K;", package + "model M extends L.A; end M;");
  BOOST_TEST(contains(ours.text, "the result y of L.f is not always assigned"), ours.text);
}

// What is read of the record has a value on each way.
BOOST_AUTO_TEST_CASE(elements_of_a_record_that_are_not_always_assigned) {
  const std::string package = "package L record R Real a; Real b; end R; function f input Real u; input Integer n; output R r; algorithm for i in 1:n loop r.a := u; end for; if u > 1 then r.b := 1; end if; end f; "
                              "model A Integer n(start = 2, fixed = true); Real x; protected R r; equation r = f(time, n); x = r.a; when time > 9 then n = 3; end when; end A; end L;";
  BOOST_TEST(told(package, "model M extends L.A; end M;").accepted);
  const Told ours = told("package K end K;", package + "model M extends L.A; end M;");
  BOOST_TEST(contains(ours.text, "the result r of L.f is not always assigned"), ours.text);
}

BOOST_AUTO_TEST_CASE(what_follows_from_the_unsupported_is_not_told) {
  const std::string table =
      "package L class Table extends ExternalObject;\n"
      " function constructor input String name; output Table table; external \"C\" table = open_table(name); end constructor;\n"
      " function destructor input Table table; external \"C\" close_table(table); end destructor; end Table;\n"
      " function at input Table table; input Real u; output Real y; external \"C\" y = table_at(table, u); end at; end L;\n";
  const Told one = told(table, "model M L.Table table = L.Table(\"file\"); Real y = L.at(table, time); Real z = 2*L.at(table, y); end M;");
  BOOST_TEST(count(one.text, "error: ") == 1u, one.text);
  BOOST_TEST(contains(one.text, "the external function L.Table.constructor cannot be called: neither an Include nor a Library annotation says where open_table is"), one.text);
  // A mistake of the reader's own beside it is told.
  const Told two = told(table, "model M L.Table table = L.Table(\"file\"); Real y = nothing; end M;");
  BOOST_TEST(count(two.text, "error: ") == 2u, two.text);
}

BOOST_AUTO_TEST_CASE(what_real_libraries_do_besides) {
  check("package L connector In = input Real; function f input In u; output Real y = 2*u; end f; model A Real y = f(time); end A; end L;",
        "u cannot be input, as its type gives it the prefix input itself", "this library gives a component a prefix that its type gives it already");
  check("package L model B Real x = 1; end B; model C parameter Boolean on = true; B b if on; Real y = b.x; end C; model A C c; end A; end L;",
        "b has a condition: it can be connected and modified, but not used here", "this library uses b, which has a condition; it holds here");
  check("package L package P constant Real k = 1; end P; package Q extends P(k = 2); end Q; model B package M = P; Real x = M.k; end B; model A B b(redeclare package M = Q); end A; end L;",
        "M is not replaceable and cannot be redeclared", "this library redeclares what is not replaceable");
  check("package L model B parameter Real k(min = 0) = -1; end B; model A B b; end A; end L;", "parameter `b.k` = -1 is below its minimum 0", "parameter `b.k` = -1 is below its minimum 0");
  check("package L model A Real x[2](start = {1, 2}, fixed = true); equation der(x) = -x; end A; end L;", "the attribute fixed of x[2] cannot have a value of size 1 (a scalar)",
        "this library gives one fixed to all elements of an array, without `each`");
  // What the user sets is the user's.
  BOOST_TEST(!told("package L model B parameter Real k(min = 0) = 1; end B; end L;", "model M L.B b(k = -1); end M;").accepted);
  // A test case of the Modelica Association is held to the rule.
  BOOST_TEST(!told("package L connector In = input Real; function f input In u; output Real y = 2*u; end f; model A Real y = f(time); end A; end L;",
                   "model M extends L.A; annotation(__ModelicaAssociation(TestCase(shouldPass = false))); end M;").accepted);
}

BOOST_AUTO_TEST_SUITE_END()
