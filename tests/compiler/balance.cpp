// Balance of classes (MLS 4.8) and of connectors (MLS 9.3.1). The numbers of unknowns and equations are counted by hand, as in the
// examples of MLS 4.8.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"
#include "rules_support.hpp"

using rules::contains;
using rules::Flattened;

namespace {

const std::string pin = "connector Pin Real v; flow Real i; end Pin;\n";

const mosim::compiler::flat::Unbalanced* of(const Flattened& f, const std::string& component) {
  if (f.model)
    for (const auto& u : f.model->unbalanced)
      if (u.component == component) return &u;
  return nullptr;
}

void is_balanced(const std::string& text) {
  const Flattened f(text);
  BOOST_REQUIRE_MESSAGE(f.model, f.messages());
  for (const auto& u : f.model->unbalanced) BOOST_ERROR(u.component + " of " + u.type + ": " + std::to_string(u.unknowns) + ", " + std::to_string(u.from_outside) + ", " + std::to_string(u.equations) + " in " + text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(balance)

// The capacitor of MLS 4.8: 5 unknowns, 2 flows, 3 equations.
BOOST_AUTO_TEST_CASE(the_capacitor_of_the_specification) {
  const std::string head = pin + "model Capacitor parameter Real C = 1; Pin p, n; Real u; equation 0 = p.i + n.i; ", rest = "C*der(u) = p.i; end Capacitor; model G Pin p; equation p.v = 0; end G;\n"
                           "model M Capacitor c; G g; equation connect(c.n, g.p); end M;";
  is_balanced(head + "u = p.v - n.v; " + rest);
  const Flattened less(head + rest);
  const auto* u = of(less, "c");
  BOOST_REQUIRE(u);
  BOOST_TEST(u->unknowns == 5);
  BOOST_TEST(u->from_outside == 2);
  BOOST_TEST(u->equations == 2);
  BOOST_TEST(u->type == "Capacitor");
  BOOST_TEST(less.model->unbalanced.size() == 1u);   // M itself is as it should be
}

BOOST_AUTO_TEST_CASE(what_counts_as_an_equation) {
  is_balanced("model T Real x(start = 1), y = 2*x; Boolean b; Integer n(start = 0); discrete Real s(start = 0), q(start = 0); equation der(x) = -x; b = x > 0.5; when b then n = pre(n) + 1; s = x; elsewhen time > 2 then s = 3; n = pre(n); end when; "
              "algorithm when {b, time > 1} then q := x; end when; end T; model M T a, b; end M;");
  is_balanced("model T Real x[3], y; algorithm y := 0; for i in 1:3 loop x[i] := i*time; y := y + x[i]; end for; end T; model M T t[2]; end M;");
  is_balanced("function f input Real u; output Real a; output Real b[2]; algorithm a := u; b := {u, 2*u}; end f; model T Real a, b[2]; equation (a, b) = f(time); end T; model M T t; end M;");
  is_balanced("record R Real x; Real y; end R; model T input R u; output R v; equation v = u; end T; model M T t(u = R(time, 2)); end M;");
  is_balanced("model T Real x; Real z if false; equation if time > 1 then x = 1; else x = 2; end if; end T; model M T t; end M;");
}

// Inputs of a component that are no connectors: a value, or an equation of who uses it.
BOOST_AUTO_TEST_CASE(inputs) {
  is_balanced("block B input Real u; output Real y; equation y = 2*u; end B; model M B b(u = time), c; equation c.u = b.y; end M;");
  is_balanced("connector In = input Real; connector Out = output Real; block B In u; Out y; equation y = 2*u; end B; block C In u; Out y; B b; B d; equation connect(u, b.u); connect(b.y, d.u); connect(d.y, y); end C; model M C c, e; equation c.u = time; connect(c.y, e.u); end M;");
  const Flattened open("block B input Real u; output Real y; end B; model M B b(u = time); end M;");
  BOOST_REQUIRE(of(open, "b"));
  BOOST_TEST(of(open, "b")->unknowns == 2);
  BOOST_TEST(of(open, "b")->equations == 1);
}

// A circuit in a circuit: sets inside, sets outside, pins that are connected to nothing, protected ones, a heat port for all.
BOOST_AUTO_TEST_CASE(connections) {
  const std::string parts = pin + "model R Pin p, n; equation p.v - n.v = 10*p.i; p.i + n.i = 0; end R; model G Pin p; equation p.v = 0; end G;\n"
                                  "model Two Pin p, n; R a, b; R loose; protected Pin between; equation connect(p, a.p); connect(a.n, between); connect(between, b.p); connect(b.n, n); connect(loose.p, n); end Two;\n";
  is_balanced(parts + "model M Two t[3]; G g; equation for i in 1:2 loop connect(t[i].n, t[i + 1].p); end for; connect(t[3].n, g.p); end M;");
  is_balanced("connector Port Real p; flow Real m; stream Real h; end Port; model A Port a, b; equation a.m + b.m = 0; a.p - b.p = a.m; a.h = inStream(b.h); b.h = inStream(a.h); end A;\n"
              "model S Port c; equation c.p = 1; c.h = 2; end S; model W Port a, b; A x, y; equation connect(a, x.a); connect(x.b, y.a); connect(y.b, b); end W; model M W w; S s, t; equation connect(s.c, w.a); connect(w.b, t.c); end M;");
}

BOOST_AUTO_TEST_CASE(what_one_component_was_given_is_not_its_class_to_blame) {
  const Flattened f(pin + "model R Pin p, n; Real u; equation u = p.v - n.v; u = 10*p.i; p.i + n.i = 0; end R; model G Pin p; equation p.v = 0; end G; model M R a(u = 3), b; G g; equation connect(a.n, b.p); connect(b.n, g.p); end M;");
  BOOST_REQUIRE(of(f, "a"));
  BOOST_TEST(!of(f, "a")->always);
  BOOST_TEST(!of(f, "b"));
}

BOOST_AUTO_TEST_CASE(connectors_without_as_many_flows_as_potentials) {
  const auto said = [](const std::string& connector) {
    return test::Analysed(connector + " model A C p; equation p.v = 1; p.i = 2; end A; model B C p; end B; model M A a; B b; equation connect(a.p, b.p); end M;").messages();
  };
  // Valid in all but this: the count is right by chance.
  const std::string warned = said("connector C Real v; Real i; end C;");
  BOOST_TEST(contains(warned, "connector C has 2 potentials and no flow variable"), warned);
  BOOST_TEST(contains(warned, "without flow, connect makes `i` equal on all sides"), warned);
  const Flattened nested("connector C Real v; Real f(unit = \"N\"); end C; connector Plug C p[3]; end Plug; model A Plug p; end A; model M A a; end M;");
  BOOST_REQUIRE(nested.model->uneven_connectors.size() == 1u);   // not Plug as well
  BOOST_TEST(nested.model->uneven_connectors[0].type == "C");
  BOOST_REQUIRE(nested.model->uneven_connectors[0].candidates.size() == 1u);
  BOOST_TEST(nested.model->uneven_connectors[0].candidates[0].name == "f");
  // Which of them flows is not known: none is named.
  const Flattened unknown("connector C Real a; Real b; end C; model A C p; end A; model M A a; end M;");
  BOOST_REQUIRE(unknown.model->uneven_connectors.size() == 1u);
  BOOST_TEST(unknown.model->uneven_connectors[0].candidates.empty());
  // What has no elements is none.
  const Flattened empty("connector C Real v[2]; flow Real i[0]; end C; model A C p; end A; model M A a; end M;");
  BOOST_REQUIRE(empty.model->uneven_connectors.size() == 1u);
  BOOST_TEST(empty.model->uneven_connectors[0].potentials == 2u);
  BOOST_TEST(empty.model->uneven_connectors[0].flows == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
