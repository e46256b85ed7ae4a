// Connections (MLS 9, 15).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(connections)

const std::string parts =
    "connector Pin Real v; flow Real i; end Pin;"
    "model R Pin p, n; parameter Real r = 1; equation p.v - n.v = r*p.i; p.i + n.i = 0; end R;"
    "model G Pin p; equation p.v = 0; end G; model S Pin p; equation p.v = 10; end S;";
const std::string signals = "connector In = input Real; connector Out = output Real; block Gain In u; Out y = 2*u; end Gain; block One Out y = 1; end One;";

BOOST_AUTO_TEST_CASE(potentials_are_equal_and_flows_add_up_to_zero) {
  const std::string flat = Flattened(parts + "model M S s; R a, b; G g; equation connect(s.p, a.p); connect(s.p, b.p); connect(a.n, g.p); connect(b.n, g.p); end M;").printed();
  BOOST_TEST(contains(flat, "'s.p.v' = 'a.p.v';"), flat);
  BOOST_TEST(contains(flat, "'s.p.v' = 'b.p.v';"), flat);
  BOOST_TEST(contains(flat, "'s.p.i' + 'a.p.i' + 'b.p.i' = 0.0;"), flat);
  BOOST_TEST(contains(flat, "'a.n.i' + 'b.n.i' + 'g.p.i' = 0.0;"), flat);
}

BOOST_AUTO_TEST_CASE(from_inside_a_component_its_own_connector_counts_with_the_other_sign) {
  const std::string flat = Flattened(parts + "model T Pin p, n; R a; equation connect(p, a.p); connect(a.n, n); end T; model M T t; end M;").printed();
  BOOST_TEST(contains(flat, "-'t.p.i' + 't.a.p.i' = 0.0;"), flat);
  BOOST_TEST(contains(flat, "  't.p.i' = 0.0;"), flat);   // not connected outside
}

BOOST_AUTO_TEST_CASE(arrays_of_connectors) {
  const std::string flat = Flattened(parts + "model M R r[3]; equation for k in 1:2 loop connect(r[k].n, r[k+1].p); end for; connect(r[{1, 2}].p, r[{2, 3}].n); end M;").printed();
  BOOST_TEST(contains(flat, "'r[1].n.v' = 'r[2].p.v';"), flat);
  BOOST_TEST(contains(flat, "'r[1].p.v' = 'r[2].n.v';"), flat);
  BOOST_TEST(contains(messages(parts + "model M R r[3]; G g; equation connect(r.p, g.p); end M;"), "arrays of connectors of different sizes"));
}

BOOST_AUTO_TEST_CASE(a_connection_goes_with_a_removed_component) {
  Flattened f(parts + "model M R r; G g if false; equation connect(r.n, g.p); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(contains(f.printed(), "  'r.n.i' = 0.0;"), f.printed());
  BOOST_TEST(contains(messages(parts + "model M R r; G g; equation if time > 1 then connect(r.n, g.p); end if; end M;"),
                      "a connection needs a condition that is known before the run"));
}

BOOST_AUTO_TEST_CASE(connectors_have_the_same_elements) {
  BOOST_TEST(contains(messages(parts + "connector Q Real w; flow Real i; end Q; model A Q q; end A; model M R r; A a; equation connect(r.p, a.q); end M;"),
                      "has no element"));
  BOOST_TEST(contains(messages(parts + "connector Q flow Real v; Real i; end Q; model A Q q; end A; model M R r; A a; equation connect(r.p, a.q); end M;"),
                      "they are a potential variable and a flow variable"));
  BOOST_TEST(contains(messages(parts + "connector Q Real v[2]; flow Real i[2]; end Q; model A Q q; end A; model M R r; A a; equation connect(r.p, a.q); end M;"),
                      "their sizes are one and [2]"));
}

BOOST_AUTO_TEST_CASE(connect_takes_connectors_of_this_class_and_its_components) {
  BOOST_TEST(contains(messages(parts + "model M R r; Real x = 1; equation connect(r.p, x); end M;"), "x is no connector"));
  BOOST_TEST(contains(messages(parts + "model M R r, s; equation connect(r.p.v, s.p.v); end M;"), "r.p.v is a variable of a connector"));
  BOOST_TEST(contains(messages(parts + "model T R r; end T; model M T t; G g; equation connect(t.r.p, g.p); end M;"),
                      "t.r.p reaches through more than one component"));
}

BOOST_AUTO_TEST_CASE(a_signal_has_one_source) {
  BOOST_TEST(messages(signals + "model M One o; Gain g; equation connect(o.y, g.u); end M;") == "");
  BOOST_TEST(contains(messages(signals + "model M One a, b; Gain g; equation connect(a.y, g.u); connect(b.y, g.u); end M;"),
                      "more than one of them sets the value"));
  BOOST_TEST(contains(messages(signals + "model M Gain g, h; equation connect(g.u, h.u); end M;"), "none of them sets the value"));
}

BOOST_AUTO_TEST_CASE(connected_parameters_agree) {
  const std::string c = "connector C parameter Integer n = 1; Real v; flow Real i; end C; model A C c; equation c.v = 0; end A; model B C c; end B;";
  BOOST_TEST(messages(c + "model M A a(c(n = 2)); B b(c(n = 2)); equation connect(a.c, b.c); end M;") == "");
  BOOST_TEST(contains(messages(c + "model M A a(c(n = 2)); B b(c(n = 3)); equation connect(a.c, b.c); end M;"), "have different values"));
}

BOOST_AUTO_TEST_CASE(streams_between_two_connectors) {
  const std::string c = "connector C Real p; flow Real m; stream Real h; end C;"
                        "model A C c; Real hin = inStream(c.h), ha = actualStream(c.h); equation c.h = 1; c.p = 1; end A;"
                        "model B C c; equation c.h = 2; c.m = 1; end B; model W C c; B b; equation connect(c, b.c); end W;";
  BOOST_TEST(Flattened(c + "model M A a; B b; equation connect(a.c, b.c); end M;").value("a.hin") == 2);
  BOOST_TEST(Flattened(c + "model M A a; end M;").value("a.hin") == 1);
  BOOST_TEST(contains(Flattened(c + "model M A a; W w; equation connect(a.c, w.c); end M;").printed(), "'w.c.h' = 'w.b.c.h';"));
}

BOOST_AUTO_TEST_SUITE_END()
