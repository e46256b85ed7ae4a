// Overconstrained connections (MLS 9.4): the virtual connection graph, and what is left of the connections.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"
#include "rules_support.hpp"

using rules::contains;
using rules::Flattened;

namespace {

/// A direction in the plane by cosine and sine: two numbers for one degree of freedom.
const std::string direction =
    "record Direction Real c; Real s;\n"
    "  function equalityConstraint input Direction a; input Direction b; output Real residue[1]; algorithm residue := {a.c*b.s - a.s*b.c}; end "
    "equalityConstraint; end Direction;\n"
    "connector Flange Direction R; flow Real t; end Flange;\n"
    "model Ground Flange f; equation Connections.root(f.R); f.R.c = 1; f.R.s = 0; end Ground;\n"
    "partial model Turn Flange a, b; Real phi; equation Connections.branch(a.R, b.R); b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi);"
    "  b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi); a.t + b.t = 0; end Turn;\n"
    "model Drive extends Turn; equation phi = time; end Drive;\n"
    "model Spring extends Turn; equation b.t = 3*phi; end Spring;\n";

/// An angle that is set in one place and only compared in others.
const std::string angle =
    "type Angle extends Real; function equalityConstraint input Angle a; input Angle b; output Real residue[0]; algorithm "
    "assert(abs(a - b) < 1e-6, \"angles differ\"); end equalityConstraint; end Angle;\n"
    "connector Plug Angle theta; Real v; flow Real i; end Plug;\n"
    "model Source Plug p; parameter Real f = 1; equation Connections.root(p.theta); p.theta = f*time; p.v = 10; end Source;\n"
    "model Load Plug p, n; parameter Real r = 1; equation Connections.branch(p.theta, n.theta); p.theta = n.theta; p.v - n.v = r*p.i; p.i + n.i = 0; end Load;\n"
    "model Zero Plug p; equation Connections.potentialRoot(p.theta); p.v = 0; if Connections.isRoot(p.theta) then p.theta = 0; end if; end Zero;\n";

std::string messages(const std::string& text) { return rules::messages(text); }

}  // namespace

BOOST_AUTO_TEST_SUITE(connection_graph)

BOOST_AUTO_TEST_CASE(a_closed_loop_keeps_the_constraint_alone) {
  // The drive turns its end to the angle t; the spring's end is the same point, so that its angle is t too.
  const auto r = test::run(direction + "Ground g; Drive d; Spring s; equation connect(g.f, d.a); connect(g.f, s.a); connect(d.b, s.b);", 1);
  BOOST_TEST(std::abs(r.last("s.phi") - 1) < 1e-6, r.failures());
  BOOST_TEST(std::abs(r.last("d.b.t") + 3) < 1e-6);
  BOOST_TEST(std::abs(r.last("s.b.R.s") - std::sin(1)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(the_connection_that_closes_the_loop_is_broken_and_no_other) {
  const std::string flat = Flattened(direction + "model M Ground g; Drive d; Spring s; equation connect(g.f, d.a); connect(g.f, s.a); connect(d.b, s.b); end M;").printed();
  BOOST_TEST(contains(flat, "'g.f.R.c' = 'd.a.R.c';"), flat);
  BOOST_TEST(contains(flat, "'g.f.R.s' = 's.a.R.s';"), flat);
  BOOST_TEST(contains(flat, "0.0 = 'd.b.R.c'*'s.b.R.s' - 'd.b.R.s'*'s.b.R.c';"), flat);
  BOOST_TEST(!contains(flat, "'d.b.R.c' = 's.b.R.c'"), flat);
}

BOOST_AUTO_TEST_CASE(a_tree_breaks_nothing) {
  const std::string flat = Flattened(direction + "model M Ground g; Drive d; Spring s; equation connect(g.f, d.a); connect(d.b, s.a); s.b.t = 0; end M;").printed();
  BOOST_TEST(contains(flat, "'d.b.R.c' = 's.a.R.c';"), flat);
  BOOST_TEST(!contains(flat, "'d.b.R.c'*'s.a.R.s'"), flat);
}

BOOST_AUTO_TEST_CASE(connections_that_join_nothing_new_are_no_edges) {
  const std::string once = "connect(g.f, d.a); connect(g.f, s.a); connect(d.b, s.b);";
  const auto r = test::run(direction + "Ground g; Drive d; Spring s; equation " + once + "connect(s.b, d.b); connect(d.a, s.a); connect(g.f, d.a);", 1);
  BOOST_TEST(std::abs(r.last("s.phi") - 1) < 1e-6, r.failures());
}

BOOST_AUTO_TEST_CASE(without_residues_the_constraint_is_an_assertion) {
  const std::string two_paths = "Source s; Load a, b(r = 3); Zero g; equation connect(s.p, a.p); connect(s.p, b.p); connect(a.n, g.p); connect(b.n, g.p);";
  const auto r = test::run(angle + two_paths, 1);
  BOOST_TEST(std::abs(r.last("s.p.i") + 10 + 10.0 / 3) < 1e-9, r.failures());
  BOOST_TEST(std::abs(r.last("g.p.theta") - 1) < 1e-9);
  // Two sources of their own are two trees, and the connection between them compares the angles.
  const std::string sources = "model S2 = Source; model L2 = Load; Source s; Source u(f = 1); Load a; equation connect(s.p, a.p); connect(a.n, u.p);";
  BOOST_TEST((test::run(angle + sources, 1).result.ending != mosim::runtime::Ending::failed));
  const auto bad = test::run(angle + "Source s; Source u(f = 2); Load a; equation connect(s.p, a.p); connect(a.n, u.p);", 1);
  BOOST_TEST(contains(bad.failures(), "angles differ"), bad.failures());
}

BOOST_AUTO_TEST_CASE(the_lowest_priority_becomes_the_root_where_there_is_no_definite_one) {
  const std::string end = "model End Plug p; parameter Integer n = 0; Boolean b = Connections.isRoot(p.theta); equation Connections.potentialRoot(p.theta, priority = n); "
                          "p.v = n; if Connections.isRoot(p.theta) then p.theta = n; end if; end End;";
  const auto chosen = [&](const std::string& body, const std::string& which) { return Flattened(angle + end + "model M " + body + " end M;").value(which); };
  const std::string three = "End a(n = 2), b(n = 1), c(n = 1); Load l, k; equation connect(a.p, l.p); connect(l.n, b.p); connect(b.p, k.p); connect(k.n, c.p);";
  BOOST_TEST(chosen(three, "a.b") == 0);
  BOOST_TEST(chosen(three, "b.b") == 1);
  BOOST_TEST(chosen(three, "c.b") == 0);
  BOOST_TEST(chosen("Source s; End a; Load l; equation connect(s.p, l.p); connect(l.n, a.p);", "a.b") == 0);
  // Parts that do not hang together have roots of their own.
  BOOST_TEST(chosen("Source s; End a, b; Load l, k; equation connect(s.p, l.p); connect(l.n, b.p); connect(a.p, k.p);", "a.b") == 1);
}

BOOST_AUTO_TEST_CASE(rooted_says_which_end_is_nearer_to_the_root) {
  const std::string line = "model Line Plug p, n; Boolean forward = Connections.rooted(p.theta); equation Connections.branch(p.theta, n.theta); "
                           "if Connections.rooted(p.theta) then n.theta = p.theta; else p.theta = n.theta; end if; p.v = n.v; p.i + n.i = 0; end Line;";
  Flattened f(angle + line + "model M Source s; Line a, b; Zero z; equation connect(s.p, a.p); connect(a.n, b.n); connect(b.p, z.p); end M;");
  BOOST_TEST(f.value("a.forward") == 1, f.messages());
  BOOST_TEST(f.value("b.forward") == 0);
}

BOOST_AUTO_TEST_CASE(arrays_of_connectors_have_a_node_each) {
  const auto r = test::run(direction + "model Chain Drive d[3]; Flange a, b; equation connect(a, d[1].a); for k in 1:2 loop connect(d[k].b, d[k+1].a); end for; connect(d[3].b, b); end Chain;"
                           "Ground g[2]; Chain c[2]; Spring s[2]; equation connect(g.f, c.a); connect(c.b, s.b); connect(s.a, g.f);", 0.5);
  for (const char* name : {"s[1].phi", "s[2].phi"}) BOOST_TEST(std::abs(r.last(name) - 1.5) < 1e-6, r.failures());
}

BOOST_AUTO_TEST_CASE(matrices_may_be_overdetermined_types) {
  const std::string flat = Flattened("type Matrix = Real[2, 2]; type T extends Matrix; function equalityConstraint input T a; input T b; output Real residue[1]; algorithm "
                                     "residue := {a[1, 1] - b[1, 1]}; end equalityConstraint; end T; connector C T R; flow Real f; end C;"
                                     "model A C c; equation Connections.root(c.R); c.R = {{1, 2}, {3, time}}; end A; model M A a, b; equation connect(a.c, b.c); end M;")
                               .printed();
  BOOST_TEST(contains(flat, "0.0 = 'a.c.R[1,1]' - 'b.c.R[1,1]';"), flat);
  BOOST_TEST(!contains(flat, "'a.c.R[1,2]' = 'b.c.R[1,2]'"), flat);
}

BOOST_AUTO_TEST_CASE(cardinality_counts_connections) {
  Flattened f(angle + "model Q Plug p; Integer n = cardinality(p); equation if cardinality(p) == 0 then p.v = 1; else p.v = 2; end if; p.theta = 0; end Q;"
                      "model M Source s; Q q, r; Load l; equation connect(s.p, l.p); connect(l.n, q.p); connect(q.p, s.p); end M;");
  BOOST_TEST(f.value("q.n") == 2, f.messages());
  BOOST_TEST(f.value("r.n") == 0);
  BOOST_TEST(f.value("q.p.v") == 2);
}

// Direct current has no angle: IBPSA's terminals have arrays without elements there.
BOOST_AUTO_TEST_CASE(arrays_without_elements_need_no_root) {
  const std::string terminal = "type Angle extends Real; function equalityConstraint input Angle a[:]; input Angle b[:]; output Real residue[0]; algorithm assert(size(a, 1) == size(b, 1), \"\"); end equalityConstraint; end Angle; "
                               "connector Terminal parameter Integer m = SIZE; Angle theta[m]; Real v; flow Real i; end Terminal; "
                               "model Line Terminal p, n; equation Connections.branch(p.theta, n.theta); p.theta = n.theta; p.v - n.v = p.i; p.i + n.i = 0; end Line; "
                               "model Source Terminal p; equation p.v = 1; end Source; model M Source s; Line l; equation connect(s.p, l.p); end M;";
  const auto with = [&](const std::string& size) { return std::string(terminal).replace(terminal.find("SIZE"), 4, size); };
  BOOST_TEST(messages(with("0")) == "");
  BOOST_TEST(contains(messages(with("1")), "none of them is a root, nor a potential root"));
}

BOOST_AUTO_TEST_CASE(graphs_without_spanning_trees_are_refused) {
  BOOST_TEST(contains(messages(angle + "model M Load a; Load b; equation connect(a.p, b.p); end M;"), "none of them is a root, nor a potential root"));
  BOOST_TEST(contains(messages(angle + "model M Source s; equation Connections.branch(s.p.theta, t.p.theta); Source t; end M;"), "equation"));
  BOOST_TEST(contains(messages(angle + "model M Source s, t; equation Connections.branch(s.p.theta, t.p.theta); end M;"),
                      "s.p.theta and t.p.theta are both definite roots, and required edges join them"));
  BOOST_TEST(contains(messages(angle + "model M Source s; Load l; equation connect(s.p, l.p); Connections.branch(l.n.theta, l.p.theta); end M;"), "closes a cycle of required edges"));
}

BOOST_AUTO_TEST_CASE(the_operators_stand_where_connections_may) {
  const auto with = [](const std::string& body) { return messages(angle + "model M Source s; Load l; Real x = 1; " + body + " end M;"); };
  BOOST_TEST(contains(with("algorithm Connections.root(l.p.theta);"), "Connections.root stands where a connection may stand"));
  BOOST_TEST(contains(with("equation when time > 1 then Connections.root(l.p.theta); end when;"), "stands where a connection may stand"));
  BOOST_TEST(contains(with("initial equation Connections.root(l.p.theta);"), "stands where a connection may stand"));
  BOOST_TEST(contains(with("equation if time > 1 then Connections.root(l.p.theta); end if;"), "condition that is known before the run"));
  BOOST_TEST(contains(with("equation if Connections.isRoot(s.p.theta) then connect(s.p, l.p); end if;"), "is known once all connections are"));
  BOOST_TEST(contains(with("equation connect(s.p, l.p); public function f output Real y = if Connections.isRoot(s.p.theta) then 1 else 0; end f; Real z = f();"), "cannot stand in a function"));
  BOOST_TEST(contains(with("equation Connections.root(l.p.v);"), "its type has no function equalityConstraint"));
  BOOST_TEST(contains(with("Angle a; equation Connections.root(a);"), "it belongs to no connector"));
  BOOST_TEST(contains(with("equation Connections.potentialRoot(l.p.theta, -1);"), "cannot be -1"));
  BOOST_TEST(contains(with("equation Connections.root(l.p.theta, 2);"), "Connections.root takes one overdetermined record or type"));
  BOOST_TEST(contains(with("equation Connections.rot(l.p.theta);"), "did you mean Connections.root?"));
  BOOST_TEST(contains(with("Boolean b = Connections.rooted(s.p.theta);"), "rooted needs one Connections.branch whose first argument is s.p.theta"));
  BOOST_TEST(contains(messages(angle + "type Other extends Real; function equalityConstraint input Other a; input Other b; output Real residue[0]; end equalityConstraint; end Other;"
                                       "connector Q Other theta; Real v; flow Real i; end Q; model A Q p; end A; model M Source s; A a; equation connect(s.p, a.p); end M;"),
                      "they are of different overdetermined types"));
}

BOOST_AUTO_TEST_SUITE_END()
