// Balanced models whose equations repeat or contradict each other. That they do is seen by eye: sums and multiples.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::model;
using test::says;

namespace {

/// A model of components with two pins, and what stands in the class M behind them.
test::Analysed circuit(const std::string& body) {
  return test::analysed(R"(connector Pin Real v; flow Real i; end Pin;
partial model Two Pin p, n; Real v, i; equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end Two;
model R extends Two; parameter Real R = 1; equation v = R*i; end R;
model C extends Two; parameter Real C = 1; equation C*der(v) = i; end C;
model L extends Two; parameter Real L = 1; equation L*der(i) = v; end L;
model V extends Two; parameter Real V = 1; equation v = V; end V;
model I extends Two; parameter Real I = 1; equation i = I; end I;
model D extends Two; equation i = exp(v) - 1; end D;
model G Pin p; equation p.v = 0; end G; model S Pin p; Real shown; equation p.i = 0; shown = p.v; end S;
model M
)" + body + "\nend M;\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dependent_equations)

BOOST_AUTO_TEST_CASE(two_equations_that_say_the_same) {
  for (const std::string pair : {"x + y = 1;\n 2*x + 2*y = 2;", "x + y = 1;\n 0.1*x + 0.1*y = 0.1;", "x - y = time;\n y - x + time = 0;",
                                 "x*y = 1;\n 2 = 2*y*x;", "p*x = q*y;\n y*q/2 - x*p/2 = 0;", "x + y = p;\n p - x = y;", "p*(x + y) = 1;\n p*x + p*y - 1 = 0;",
                                 "x = p*y;\n y = x/p;", "p*x + p*y = p*q;\n x + y = q;", "x/(p*q) = y/q;\n x = p*y;", "sin(x) + y = 1;\n (y + sin(x))*3 = 3;", "x = 2*y;\n x/2 = y;", "x^2 + y = 0;\n -x*x = y;"}) {
    const auto a = model("parameter Real p = 2, q = 3; Real x, y;\nequation\n " + pair);
    BOOST_TEST(!a.system, pair);
    BOOST_TEST(says(a, "error 5: "), pair << "\n" << a.messages());
    BOOST_TEST(says(a, " says the same as "), pair << "\n" << a.messages());
    BOOST_TEST(says(a, "an equation is missing for `x` and `y`"), pair << "\n" << a.messages());
    BOOST_TEST(says(a, "note 4: the other equation: "), pair << "\n" << a.messages());
  }
}

BOOST_AUTO_TEST_CASE(two_equations_that_contradict_each_other) {
  for (const std::string pair : {"x + y = 1;\n 2*x + 2*y = 3;", "x - y = time;\n y - x + time = 1;", "p*x = q*y;\n y*q - x*p = 1;"}) {
    const auto a = model("parameter Real p = 2, q = 3; Real x, y;\nequation\n " + pair);
    BOOST_TEST(!a.system, pair);
    BOOST_TEST(says(a, "error 5: "), a.messages());
    BOOST_TEST(says(a, " contradicts "), a.messages());
    BOOST_TEST(says(a, "no `x` and `y` can fulfil both"), a.messages());
    BOOST_TEST(says(a, "note 4: "), a.messages());
  }
}

BOOST_AUTO_TEST_CASE(two_equations_that_agree_for_some_parameters_alone) {
  const auto a = model("parameter Real p = 2, q = 4; Real x, y;\nequation\n x + y = p;\n 2*x + 2*y = q;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "two equations for the same combination of `x` and `y`"), a.messages());
}

BOOST_AUTO_TEST_CASE(several_equations_together) {
  const auto a = model("Real x, y, z;\nequation\n x + y + z = 1;\n x - y = 2;\n 2*x + z = 3;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "error 6: 2*x + z = 3 follows from 2 other equations, so that an equation is missing"), a.messages());
  BOOST_TEST(says(a, "note 4: "), a.messages());
  BOOST_TEST(says(a, "note 5: "), a.messages());
  const auto b = model("Real x, y, z;\nequation\n x + y + z = 1;\n x - y = 2;\n 2*x + z = 4;");
  BOOST_TEST(says(b, "error 6: 2*x + z = 4 contradicts what 2 other equations say together"), b.messages());
}

BOOST_AUTO_TEST_CASE(unknowns_that_cancel) {
  BOOST_TEST(says(model("Real x;\nequation\n 0*x = 0;"), "error 4: `x` cancels out of 0*x = 0: it says 0 = 0"));
  BOOST_TEST(says(model("Real x;\nequation\n x = x;"), "`x` cancels out of x = x"));
  BOOST_TEST(says(model("Real x;\nequation\n x = 2*x - x + 1;"), "what is left can never hold"));
  BOOST_TEST(says(model("Real x;\nequation\n x - time = x;"), "what is left holds no unknown"));
  // The structure takes x for determined by the first, as y is by the second.
  const auto a = model("Real x; Real y(start = 1);\nequation\n x - x + y = 1;\n y^2 = 4 + sin(y);");
  BOOST_TEST(says(a, "error 4: `x` cancels out of x - x + y = 1"), a.messages());
}

BOOST_AUTO_TEST_CASE(of_a_block_alone) {
  // z is given by a third unknown, so that x and y alone are asked for by two equations of one combination.
  const auto a = model("parameter Real p = 2; Real x, y, z(start = 1), w(start = 1);\nequation\n p*x + p*y = z;\n x*p + y*p = 1;\n z = w^2 + sin(w);\n w^3 = z + 2;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "the same combination of `x` and `y`"), a.messages());
  const auto b = model("Real x, y, z(start = 1), w(start = 1);\nequation\n x + y = z;\n y + x = 1;\n z = w^2 + sin(w);\n w^3 = z + 2;");
  BOOST_TEST(says(b, "the same combination of `x` and `y`"), b.messages());
}

BOOST_AUTO_TEST_CASE(derivatives) {
  const auto a = model("Real x, y;\nequation\n der(x) + der(y) = 0;\n 2*der(x) + 2*der(y) = 0;");
  BOOST_TEST(says(a, "says the same as"), a.messages());
}

// ---- no false alarm ---------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(parameters_may_have_other_values) {
  BOOST_TEST(model("parameter Real a = 2, b = 2; Real x, y;\nequation\n x + y = 1;\n a*x + b*y = 2;").system.has_value());
  BOOST_TEST(model("parameter Real a = 1; Real x, y;\nequation\n x + y = 1;\n x + a*y = 2;").system.has_value());
  BOOST_TEST(model("parameter Real a = 0; Real x;\nequation\n a*x = 0;").system.has_value());
}

BOOST_AUTO_TEST_CASE(parameters_cancel_where_all_terms_have_them_alone) {
  BOOST_TEST(model("parameter Real p = 2; Real x, y;\nequation\n x = p*y;\n y = p*x;").system.has_value());
  BOOST_TEST(model("parameter Real p = 2; Real x, y;\nequation\n p*x + p*y = 1;\n x - y = p;").system.has_value());
  // Only parameters: a variable may be zero at an instant, and what is divided by it is no repetition.
  BOOST_TEST(model("Real x, y(start = 1), z(start = 1);\nequation\n z*x = z*y + z;\n x = y + z;\n z + y = 3;").system.has_value());
}

BOOST_AUTO_TEST_CASE(constraints_between_states_are_no_repetition) {
  BOOST_TEST(model("Real x(start = 1), y, vx, vy, F;\nequation\n der(x) = vx;\n der(y) = vy;\n der(vx) = F*x;\n der(vy) = F*y - 9.81;\n x^2 + y^2 = 1;").system.has_value());
  BOOST_TEST(model("Real x(start = 1, fixed = true), y, z;\nequation\n der(x) = -x;\n y + z = x;\n y - z = 1;").system.has_value());
}

BOOST_AUTO_TEST_CASE(equations_that_look_alike) {
  BOOST_TEST(model("Real x, y;\nequation\n x + y = 1;\n x + 1.0000001*y = 1;").system.has_value());
  BOOST_TEST(model("Real x(start = 1), y(start = 1);\nequation\n x*y = 1;\n x^2*y = 2;").system.has_value());
  BOOST_TEST(model("Real x, y;\nequation\n x + y = if time > 1 then 1 else 2;\n x - y = if time > 1 then 1 else 2;").system.has_value());
  BOOST_TEST(model("Real x, y;\nequation\n x + (if time > 1 then y else 0) = 1;\n x + y = 1;").system.has_value());
}

// ---- circuits ---------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(no_ground) {
  for (const std::string body : {"R r; V v; equation connect(r.p, v.p); connect(r.n, v.n);",
                                 "R r; C c; V v; equation connect(r.p, v.p); connect(r.n, c.p); connect(c.n, v.n);",
                                 "R r; L c; V v; equation connect(r.p, v.p); connect(r.n, c.p); connect(c.n, v.n);",
                                 "R r; D c; V v; equation connect(r.p, v.p); connect(r.n, c.p); connect(c.n, v.n);",
                                 "R r, q; C c; equation connect(r.p, q.p); connect(q.p, c.p); connect(r.n, q.n); connect(q.n, c.n);",
                                 "R r[3]; V v; equation for k in 1:3 loop connect(r[k].p, v.p); connect(r[k].n, v.n); end for;"}) {
    const auto a = circuit(body);
    BOOST_TEST(!a.system, body);
    BOOST_TEST(says(a, "error 10: a reference is missing: "), body << "\n" << a.messages());
    BOOST_TEST(says(a, "can all be shifted alike"), body << "\n" << a.messages());
    BOOST_TEST(a.diagnostics.size() == 1u, a.messages());
  }
}

BOOST_AUTO_TEST_CASE(a_ground_that_is_connected_to_nothing) {
  const auto a = circuit("R r; V v;\n G g;\n equation connect(r.p, v.p); connect(r.n, v.n);");
  BOOST_TEST(says(a, "a reference is missing: `r.n.v`, `r.p.v`, `v.n.v` and `v.p.v` can"), a.messages());
  BOOST_TEST(says(a, "note 12: g.p is connected to nothing"), a.messages());
}

BOOST_AUTO_TEST_CASE(a_part_without_ground) {
  const auto a = circuit("R r; V v; G g; R r2; C c2; equation connect(r.p, v.p); connect(r.n, v.n); connect(v.n, g.p); connect(r2.p, c2.p); connect(r2.n, c2.n);");
  BOOST_TEST(says(a, "a reference is missing: `c2.n.v`, `c2.p.v`, `r2.n.v` and `r2.p.v` can"), a.messages());
}

BOOST_AUTO_TEST_CASE(a_component_that_is_connected_to_nothing) {
  const auto a = circuit("R r; V v; G g;\n R q;\n equation connect(r.p, v.p); connect(r.n, v.n); connect(v.n, g.p);");
  BOOST_TEST(says(a, "error 12: `q.n` and `q.p` are connected to nothing, so that no equation determines the level of `q.n.v` and `q.p.v`"), a.messages());
  BOOST_TEST(says(a, "note 2: `q.p` is declared here"), a.messages());
}

BOOST_AUTO_TEST_CASE(a_connector_that_is_connected_to_nothing) {
  // A sensor: what it shows is that of nothing.
  const auto a = circuit("R r; V v; G g; S s;\n equation connect(r.p, v.p); connect(r.n, v.n); connect(v.n, g.p);");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "error 11: `s.p` is connected to nothing, so that no equation determines the level of `s.p.v`"), a.messages());
  BOOST_TEST(says(a, "note 9: `s.p` is declared here"), a.messages());
}

BOOST_AUTO_TEST_CASE(the_reference_is_called_by_its_name) {
  const auto of_unit = [](const std::string& unit) {
    return test::analysed("connector P Real e(unit = \"" + unit + "\"); flow Real f; end P; model A P p, n; equation p.f + n.f = 0; p.f = p.e - n.e; end A;\n"
                          "model M A a, b; equation connect(a.p, b.p); connect(a.n, b.n); end M;\n");
  };
  BOOST_TEST(says(of_unit("V"), "a ground is missing"));
  BOOST_TEST(says(of_unit("K"), "a reference temperature is missing"));
  BOOST_TEST(says(of_unit("Pa"), "a reference pressure is missing"));
  BOOST_TEST(says(of_unit("m"), "a fixed point is missing"));
}

BOOST_AUTO_TEST_CASE(circuits_with_ground) {
  for (const std::string body : {"R r; V v; G g; equation connect(r.p, v.p); connect(r.n, v.n); connect(v.n, g.p);",
                                 "R r; C c; V v; G g; equation connect(r.p, v.p); connect(r.n, c.p); connect(c.n, v.n); connect(g.p, v.n);",
                                 "R r, q; V v; G g; equation connect(r.p, v.p); connect(r.n, v.n); connect(v.n, g.p); connect(q.n, g.p);"})
    BOOST_TEST(circuit(body).system.has_value(), body);
}

BOOST_AUTO_TEST_CASE(sources_against_each_other) {
  const auto a = circuit("V v; V w; R r; G g; equation connect(v.p, w.p); connect(v.n, w.n); connect(r.p, v.p); connect(r.n, v.n); connect(v.n, g.p);");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "one repeats the other"), a.messages());
  const auto b = circuit("I v; I w; G g; equation connect(v.p, w.p); connect(v.n, w.n); connect(v.n, g.p);");
  BOOST_TEST(!b.system);
  BOOST_TEST(says(b, "one repeats the other"), b.messages());
}

BOOST_AUTO_TEST_SUITE_END()
