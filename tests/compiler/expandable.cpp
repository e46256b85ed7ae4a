// Expandable connectors (MLS 9.1.3): what connections add to them, and where the values of their variables come from.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"
#include "rules_support.hpp"

using rules::contains;
using rules::Flattened;

namespace {

const std::string parts =
    "connector In = input Real; connector Out = output Real; connector Pin Real v; flow Real i; end Pin;\n"
    "expandable connector Bus end Bus; expandable connector SpeedBus Real speed; end SpeedBus;\n"
    "block Sensor Out y; parameter Real k = 1; equation y = k*time; end Sensor; block Actuator In u; Real z = 2*u; end Actuator;\n"
    "model Sending Bus bus; Sensor sensor(k = 3); equation connect(bus.speed, sensor.y); end Sending;\n"
    "model Taking Bus bus; Actuator actuator; equation connect(bus.speed, actuator.u); end Taking;\n";

double last(const std::string& body, const std::string& name) {
  const auto r = test::run(parts + body, 1);
  BOOST_TEST((r.result.ending != mosim::runtime::Ending::failed), r.failures());
  return r.last(name);
}
std::string messages(const std::string& body) { return test::model(parts + body).messages(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(expandable_connectors)

BOOST_AUTO_TEST_CASE(a_signal_goes_over_a_bus_from_both_sides) {
  const std::string both = "Bus bus; Sensor s(k = 3); Actuator a, b; equation connect(s.y, bus.x); connect(bus.x, a.u); connect(b.u, bus.x);";
  BOOST_TEST(std::abs(last(both, "a.z") - 6) < 1e-9);
  BOOST_TEST(std::abs(last(both, "b.z") - 6) < 1e-9);
}

BOOST_AUTO_TEST_CASE(connected_buses_have_the_elements_of_all) {
  const std::string over = "Bus bus; Sending s; Taking t, q; equation connect(bus, t.bus); connect(s.bus, bus); connect(q.bus, t.bus);";
  BOOST_TEST(std::abs(last(over, "t.actuator.z") - 6) < 1e-9);
  BOOST_TEST(std::abs(last(over, "q.actuator.z") - 6) < 1e-9);
  // Through a component that only hands the bus on.
  BOOST_TEST(std::abs(last("model Through Bus a, b; equation connect(a, b); end Through; Through h; Sending s; Taking t; equation connect(s.bus, h.a); connect(h.b, t.bus);",
                           "t.actuator.z") - 6) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_declared_element_is_there_once_it_is_connected) {
  BOOST_TEST(std::abs(last("SpeedBus bus; Sensor s(k = 3); Real y = bus.speed + 1; equation connect(bus.speed, s.y);", "y") - 4) < 1e-9);
  Flattened f("model M " + parts + "SpeedBus bus; Bus other; Sensor s; equation connect(other.x, s.y); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(!f.has("bus.speed"));
  BOOST_TEST(f.has("other.x"));
  BOOST_TEST(contains(messages("SpeedBus bus; Real y = bus.speed;"), "bus.speed is not present"));
  BOOST_TEST(contains(messages("Bus bus; Sensor s; Real y = bus.x; equation connect(bus.x, s.y);"), "bus.x is not declared in the expandable connector"));
  BOOST_TEST(contains(messages("Bus bus; Real y = bus.x;"), "bus has no element x"));
}

BOOST_AUTO_TEST_CASE(sizes_come_from_the_connections) {
  const std::string elements = "Bus bus; Sensor s[2](k = {3, 4}); Actuator a; equation connect(bus.x[3], s[1].y); connect(s[2].y, bus.x[1]); connect(bus.x[1], a.u);";
  BOOST_TEST(std::abs(last(elements, "a.z") - 8) < 1e-9);
  BOOST_TEST(std::abs(last(elements, "bus.x[3]") - 3) < 1e-9);
  BOOST_TEST(last(elements, "bus.x[2]") == 0);
  const std::string whole = "model Three Out y[3] = {1, 2, 3}; end Three; Three t; Bus bus; Actuator a; equation connect(t.y, bus.x); connect(bus.x[2], a.u);";
  BOOST_TEST(last(whole, "a.z") == 4);
  const std::string slice = "Bus bus; Sensor s[2](k = {3, 4}); Actuator a[2]; equation connect(bus.x[{2, 4}], s.y); for k in 1:2 loop connect(a[k].u, bus.x[2*k]); end for;";
  BOOST_TEST(std::abs(last(slice, "a[2].z") - 8) < 1e-9);
  const std::string open = "expandable connector Open Real x[:]; end Open; Open bus; Sensor s[2](k = {3, 4}); Real sum = bus.x[1] + bus.x[2]; equation for k in 1:2 loop connect(bus.x[k], s[k].y); end for;";
  BOOST_TEST(std::abs(last(open, "sum") - 7) < 1e-9);
  // The largest of all connected buses holds for all.
  const std::string together = "model A Bus bus; Sensor s(k = 3); equation connect(bus.x[1], s.y); end A; model B Bus bus; Sensor s(k = 4); Actuator a; equation connect(bus.x[2], s.y); connect(bus.x[1], a.u); end B;"
                               "A a; B b; equation connect(a.bus, b.bus);";
  BOOST_TEST(std::abs(last(together, "b.a.z") - 6) < 1e-9);
  BOOST_TEST(std::abs(last(together, "a.bus.x[2]") - 4) < 1e-9);
}

BOOST_AUTO_TEST_CASE(buses_stand_in_buses) {
  const std::string declared = "expandable connector Outer SpeedBus sub; end Outer; Outer bus; Sensor s(k = 3); Actuator a; Real y = bus.sub.speed; "
                               "equation connect(bus.sub.speed, s.y); connect(bus.sub.more, a.u); connect(bus.sub.more, s.y);";
  BOOST_TEST(std::abs(last(declared, "y") - 3) < 1e-9);
  BOOST_TEST(std::abs(last(declared, "a.z") - 6) < 1e-9);
  const std::string added = "Bus bus; Sending s; Taking t; Actuator a; equation connect(bus.sub, s.bus); connect(t.bus, bus.sub); connect(bus.sub.speed, a.u);";
  BOOST_TEST(std::abs(last(added, "t.actuator.z") - 6) < 1e-9);
  BOOST_TEST(std::abs(last(added, "a.z") - 6) < 1e-9);
  const std::string array = "Bus bus; Sending s[2]; Taking t[2]; equation for k in 1:2 loop connect(s[k].bus, bus.sub[k]); connect(bus.sub[3 - k], t[k].bus); end for;";
  BOOST_TEST(std::abs(last(array, "t[2].actuator.z") - 6) < 1e-9);
}

BOOST_AUTO_TEST_CASE(arrays_of_buses_are_connected_element_by_element) {
  const std::string stack = "expandable connector Stack SpeedBus cell[2]; end Stack; model Cell SpeedBus bus; Sensor s; equation connect(bus.speed, s.y); end Cell;"
                            "model Cells Stack bus; Cell c[2]; equation connect(c.bus, bus.cell); end Cells;"
                            "Cells c(c(s(k = {3, 4}))); Stack bus; Actuator a[2]; equation connect(c.bus, bus); connect(a.u, bus.cell.speed);";
  BOOST_TEST(std::abs(last(stack, "a[1].z") - 6) < 1e-9);
  BOOST_TEST(std::abs(last(stack, "a[2].z") - 8) < 1e-9);
  BOOST_TEST(std::abs(last("Bus b[2]; Sensor s[2](k = {3, 4}); Actuator a[2]; equation connect(b[1:2].x, s.y); connect(b.x, a.u);", "a[2].z") - 8) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_connection_goes_with_a_removed_component_or_bus) {
  BOOST_TEST(messages("Bus b if false; Sensor s; equation connect(b.x, s.y);") == "");
  Flattened f("model M " + parts + "Bus b; Sensor s if false; Sensor r; equation connect(b.x, s.y); connect(r.y, b.y); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(!f.has("b.x"));
}

BOOST_AUTO_TEST_CASE(one_bus_may_be_inner_for_all) {
  const std::string inner = "model S outer Bus bus; Sensor s(k = 3); equation connect(bus.x, s.y); end S; model A outer Bus bus; Actuator a; equation connect(bus.x, a.u); end A;"
                            "inner Bus bus; S s; A a;";
  BOOST_TEST(std::abs(last(inner, "a.a.z") - 6) < 1e-9);
}

BOOST_AUTO_TEST_CASE(connectors_with_flows_may_be_added) {
  // A source of 10 V in one component, 2 Ohm in another, and a bus between them.
  const std::string circuit = "model Source Bus bus; Pin p, n; equation p.v = 10; n.v = 0; connect(p, bus.plus); connect(n, bus.minus); end Source;"
                              "model Battery Bus bus; Cell c; equation connect(c.p, bus.plus); connect(c.n, bus.minus); end Battery; model Cell Pin p, n; equation p.v = 10; n.v = 0; end Cell;"
                              "model Resistor Pin p, n; equation p.v - n.v = 2*p.i; p.i + n.i = 0; end Resistor;"
                              "model Load Bus bus; Resistor r; equation connect(r.p, bus.plus); connect(bus.minus, r.n); end Load;"
                              "Battery b; Load l, k; Bus bus; equation connect(b.bus, bus); connect(bus, l.bus); connect(k.bus, b.bus);";
  BOOST_TEST(std::abs(last(circuit, "l.r.p.i") - 5) < 1e-9);
  BOOST_TEST(std::abs(last(circuit, "b.c.p.i") + 10) < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_causality_follows_from_what_is_connected) {
  // A model's own bus that nothing sets is set from outside.
  Flattened f("model M " + parts + "Bus bus; Actuator a; equation connect(bus.x, a.u); end M;");
  BOOST_REQUIRE(f.find("bus.x"));
  BOOST_TEST((f.find("bus.x")->causality == mosim::compiler::flat::Causality::input), f.messages());
  BOOST_TEST(contains(messages("Taking t;"), "of an expandable connector is used, but nothing sets it"));
  BOOST_TEST(contains(messages("Bus bus; Sensor s, r; equation connect(bus.x, s.y); connect(bus.x, r.y);"), "is set more than once"));
  BOOST_TEST(contains(messages("Sending s, r; equation connect(s.bus, r.bus);"), "is set more than once"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_connected_is_said) {
  BOOST_TEST(contains(messages("Bus a, b; equation connect(a.x, b.x);"), "neither a.x nor b.x is declared"));
  BOOST_TEST(contains(messages("Bus a; Sensor s; equation connect(a.x.y, s.y);"), "x is not declared in a"));
  BOOST_TEST(contains(messages("Bus a; Sensor s; equation connect(a, s.y);"), "a is an expandable connector and s.y is not"));
  BOOST_TEST(contains(messages("SpeedBus a(speed = 1); Sensor s; equation connect(a.speed, s.y);"), "has its value from its connections alone"));
  BOOST_TEST(contains(messages("Bus a; Sensor s; Integer n = 1; equation connect(a.x[n], s.y);"), "the subscripts of a connector must be known before the run"));
  BOOST_TEST(contains(messages("Bus a; Actuator b; equation connect(a.sub, a); connect(a.x, b.u);"), "would contain itself without end"));
  BOOST_TEST(contains(messages("Bus a, b; Sensor s; equation connect(a.sub, b); connect(b.sub, a); connect(a.x, s.y);"), "would contain itself without end"));
  BOOST_TEST(contains(messages("Bus a; Sensor s; equation connect(a.x[0], s.y);"), "the subscript 0 is less than 1"));
  BOOST_TEST(contains(messages("SpeedBus a; connector B = output Boolean; block S B y = true; end S; S s; equation connect(a.speed, s.y);"), "they are Real and Boolean"));
}

BOOST_AUTO_TEST_SUITE_END()
