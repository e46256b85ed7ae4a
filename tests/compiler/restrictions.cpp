// What kinds of classes and declarations cannot have (MLS 4.4 - 4.9, 7.1, 9.3, 12.2).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(restrictions)

BOOST_AUTO_TEST_CASE(records_hold_public_declarations_alone) {
  const auto record = [](const std::string& body) { return messages("record R\n" + body + "\nend R; model M R r; end M;"); };
  BOOST_TEST(record("Real x = 1; Integer n = 2;") == "");
  BOOST_TEST(contains(record("Real x; equation x = 1;"), "R has an equation section, but a record cannot have one"));
  BOOST_TEST(contains(record("Real x; algorithm x := 1;"), "R has an algorithm, but a record cannot have one"));
  BOOST_TEST(contains(record("Real x; initial equation x = 1;"), "R has an initial equation section"));
  BOOST_TEST(contains(record("Real x = 1; protected Real y = 2;"), "R has a protected section, but all elements of a record are public"));
  for (const std::string prefix : {"flow", "stream", "input", "output"})
    BOOST_TEST(contains(record(prefix + " Real x = 1;"), "an element of a record cannot have the prefix " + prefix));
  for (const std::string prefix : {"inner", "outer"})
    BOOST_TEST(contains(record(prefix + " Real x;"), "an element of a record cannot be " + prefix));
  BOOST_TEST(contains(messages("model A end A; record R A a; end R; model M R r; end M;"),
                      "a record holds only components of a record or of a type, but a is a model"));
}

BOOST_AUTO_TEST_CASE(packages_hold_classes_and_constants) {
  BOOST_TEST(contains(messages("package P Real x = 1; model A end A; end P; model M P.A a; end M;"), "x is no constant"));
}

BOOST_AUTO_TEST_CASE(operators_stand_in_operator_records) {
  BOOST_TEST(contains(messages("model M operator function '+' input Real x; output Real y; end '+'; end M;"),
                      "an operator function can only stand directly in an operator record"));
}

BOOST_AUTO_TEST_CASE(prefixes_are_for_types_records_and_connectors) {
  for (const std::string prefix : {"parameter", "constant", "discrete", "input", "output"})
    BOOST_TEST(contains(messages("model A Real x = 1; end A; model M " + prefix + " A a; end M;"),
                        "a is a model, so it cannot have the prefix " + prefix));
  BOOST_TEST(messages("record R Real x = 1; end R; model M parameter R r; end M;") == "");
  BOOST_TEST(contains(messages("connector C Real v; flow Real i; end C; model M parameter C c; end M;"), "the connector c cannot be a parameter"));
  BOOST_TEST(contains(of_model("parameter input Real x = 1;"), "x cannot be both input and parameter"));
  BOOST_TEST(contains(messages("connector In = input Real; model M input In x; end M;"), "x cannot be input, as its type gives it the prefix input itself"));
}

BOOST_AUTO_TEST_CASE(a_class_extends_classes_of_its_kind) {
  const auto derive = [](const std::string& derived, const std::string& base) {
    return messages(base + " B end B; " + derived + " D extends B; end D; model M " + (derived == "function" ? "Real x = D();" : "D d;") + " end M;");
  };
  BOOST_TEST(derive("model", "block") == "");
  BOOST_TEST(derive("model", "record") == "");
  BOOST_TEST(derive("record", "class") == "");
  BOOST_TEST(contains(derive("block", "model"), "a block cannot extend a model"));
  BOOST_TEST(contains(derive("model", "connector"), "a model cannot extend a connector"));
  BOOST_TEST(contains(derive("record", "model"), "a record cannot extend a model"));
  BOOST_TEST(contains(derive("model", "package"), "a model cannot extend a package"));
  BOOST_TEST(contains(derive("function", "block"), "a function cannot extend a block"));
}

BOOST_AUTO_TEST_CASE(a_base_class_is_neither_inherited_nor_replaceable) {
  BOOST_TEST(contains(of_model("model A model B end B; end A; extends A; extends B;"), "B is inherited, so it cannot be a base class"));
  BOOST_TEST(contains(of_model("replaceable model A end A; extends A;"), "A is replaceable, so it cannot be a base class"));
  BOOST_TEST(contains(of_model("replaceable package P model A end A; end P; extends P.A;"),
                      "P is replaceable, so it cannot be part of the name of a base class"));
}

BOOST_AUTO_TEST_CASE(an_array_class_or_a_simple_type_is_extended_alone) {
  BOOST_TEST(contains(messages("model A Real x = 1; end A; model A3 = A[3]; model M extends A3; Real y = 2; end M;"),
                      "A3 is an array class: a class that extends it cannot have components as well"));
  BOOST_TEST(contains(messages("connector C extends Real; Real y; end C; model M C c; end M;"), "Real is a simple type"));
}

BOOST_AUTO_TEST_CASE(literals_are_no_attributes) {
  BOOST_TEST(contains(of_model("type E = enumeration(start, stop); E e = E.stop;"), "start is an attribute of enumeration types"));
}

BOOST_AUTO_TEST_CASE(discrete_variables_are_assigned_at_events) {
  BOOST_TEST(contains(of_model("discrete Real x = 1;"), "x is declared discrete but not assigned in any when-clause"));
  BOOST_TEST(of_model("discrete Real x; equation when time > 1 then x = time; end when;") == "");
  BOOST_TEST(contains(messages("model A discrete Real x; end A; model M A a; equation when time > 1 then a.x = 1; end when; end M;"),
                      "a.x belongs to a component of the class A and cannot be set here in a when-clause"));
}

BOOST_AUTO_TEST_CASE(connectors_are_balanced) {
  BOOST_TEST(messages("connector C Real v; flow Real i; end C; model M C c; end M;") == "");
  BOOST_TEST(contains(messages("connector C Real v, w; flow Real i; end C; model M C c; end M;"),
                      "the connector C has 1 flow variables but 2 potential variables"));
  BOOST_TEST(contains(messages("connector C stream Real h; end C; model M C c; end M;"), "has stream variables and 0 flow variables instead of one"));
  BOOST_TEST(contains(of_model("stream Real x = 1;"), "x is a stream variable, but M is no connector"));
  BOOST_TEST(contains(messages("connector C Real v; flow Real i; end C; block B C c; end B; model M B b; end M;"),
                      "c is a public connector of a block, but its variable v is neither input nor output"));
  BOOST_TEST(contains(messages("expandable connector C flow Real i; end C; model M C c; end M;"), "which an expandable connector cannot have"));
}

BOOST_AUTO_TEST_CASE(a_conditional_component_is_connected_or_modified_alone) {
  BOOST_TEST(contains(of_model("Real x if true; equation x = 2;"), "x has a condition: it can be connected and modified, but not used here"));
  BOOST_TEST(contains(messages("model A function f output Real y = 1; end f; end A; model M A a if true; Real x = a.f(); end M;"),
                      "a has a condition: its functions cannot be used"));
  const std::string c = "connector In = input Real; connector Out = output Real; block G In u; Out y = u; end G; block One Out y = 1; end One;";
  BOOST_TEST(messages(c + "model M One o; G g(y = 3*g.u) if true; equation connect(o.y, g.u); end M;") != "");
  BOOST_TEST(messages(c + "model M One o; G g if true; equation connect(o.y, g.u); end M;") == "");
}

// What a call is inlined into knows of time; the function does not.
BOOST_AUTO_TEST_CASE(operators_of_time_stand_in_no_function) {
  const auto said = [](const std::string& value) {
    return messages("function f input Real u; input Integer n; output Real y; algorithm y := " + value + "; end f; model M Integer n = integer(time); Real y = f(time, n); end M;");
  };
  for (const std::string operation : {"der(u)", "pre(n)", "delay(u, 1)", "if initial() then 1 else 2", "if terminal() then 1 else 2", "if edge(n > 1) then 1 else 2", "if change(n) then 1 else 2", "if sample(0, 1) then 1 else 2",
                                      "hold(u)", "previous(u)", "subSample(u, 2)", "superSample(u, 2)", "shiftSample(u, 1)", "backSample(u, 1)", "noClock(u)", "interval(u)", "if firstTick(u) then 1 else 2"})
    BOOST_TEST(contains(said(operation), " cannot stand in a function, which knows its arguments and nothing of time (MLS 12.2)"), operation << ": " << said(operation));
  BOOST_TEST(said("noEvent(smooth(0, if u > 0 then 1 else 2)) + homotopy(u, n) + semiLinear(u, 1, 2)") == "");
  // Its arguments are the caller's.
  BOOST_TEST(messages("function f input Boolean b; input Real u; output Real y = if b then 1 else u; end f; model M Real x = f(initial(), delay(time, 0.5)); end M;") == "");
  // Nor do the bounds of a loop.
  BOOST_TEST(contains(messages("function f input Integer n; output Real y; algorithm for k in 1:delay(subSample(n, 2), 0.1) loop y := k; end for; end f; model M Integer n = 1 - integer(time); Real y = f(n); end M;"),
                      "cannot stand in a function"));
}

BOOST_AUTO_TEST_CASE(an_input_is_not_assigned_by_its_own_class) {
  BOOST_TEST(contains(messages("block B input Real u; output Real y; algorithm u := 1; y := u; end B; model M B b(u = 1); end M;"),
                      "u is an input of B and cannot be assigned in it"));
  BOOST_TEST(messages("block B input Real u; output Real y = u; end B; model M B b; algorithm b.u := time; end M;") == "");
}

BOOST_AUTO_TEST_CASE(constants_have_values) {
  BOOST_TEST(contains(of_model("Real x = time/0;"), "division by zero"));
  BOOST_TEST(contains(of_model("constant Real k = 2; Real x = sqrt(k - 3);"), "square root of a negative number, -1 (k - 3"));
  BOOST_TEST(contains(of_model("Real x = acos(-2);"), "acos of -2, which is not between -1 and 1"));
  // Where a condition keeps it from being carried out, it does no harm; nor is a parameter known for good.
  BOOST_TEST(of_model("constant Real k = 0; Real x = if k == 0 then 1 else time/k;") == "");
  BOOST_TEST(of_model("constant Real k = 0; Real x = if time > 1 then 1 else time/k;") == "");
  BOOST_TEST(of_model("parameter Real k = 0; Real x = time/k;") == "");
}

BOOST_AUTO_TEST_CASE(a_type_of_a_type_keeps_its_causality) {
  BOOST_TEST(contains(messages("type In = input Real; type Out = output In; model M Out x; equation x = 1; end M;"), "In is input, but a type made of it is output"));
  BOOST_TEST(messages("type In = input Real; type Again = input In; model M Again x = 1; end M;") == "");
}

BOOST_AUTO_TEST_CASE(inputs_at_the_top_may_stand_in_records_and_connectors) {
  Flattened f("record R Real x; Real z; end R; record S R r; Real u; end S; connector C input Real u; output Real y; end C; block B input R u; output Real y = u.x; end B;"
              "model A input S s; end A; model M extends A; input R u[2]; output R v = u[2]; C c; B b(u = u[1]); Real w = s.r.x; equation c.y = 2*c.u; end M;");
  BOOST_TEST(f.messages() == "");
  const auto causality = [&](const std::string& name) {
    for (const auto& v : f.model->variables)
      if (v.name == name) return v.causality;
    return compiler::flat::Causality::none;
  };
  for (const std::string name : {"s.r.x", "s.u", "u[1].x", "u[2].z", "c.u"}) BOOST_TEST(int(causality(name)) == int(compiler::flat::Causality::input), name);
  for (const std::string name : {"v.x", "c.y"}) BOOST_TEST(int(causality(name)) == int(compiler::flat::Causality::output), name);
  for (const std::string name : {"w", "b.u.x", "b.y"}) BOOST_TEST(int(causality(name)) == int(compiler::flat::Causality::none), name);
}

BOOST_AUTO_TEST_SUITE_END()
