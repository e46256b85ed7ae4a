// Redeclarations and constraining types (MLS 6, 7.3).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(redeclaration)

const std::string classes =
    "model A Real x = 1; end A; model B Real x = 2; Real y = 3; end B;"
    "model C replaceable A a; end C; model D replaceable B b; end D;";

BOOST_AUTO_TEST_CASE(a_redeclaration_brings_a_subtype) {
  BOOST_TEST(messages(classes + "model M C c(redeclare B a); end M;") == "");
  const std::string refused = messages(classes + "model M D d(redeclare A b); end M;");
  BOOST_TEST(contains(refused, "A is not compatible with the constraining type of b: it has no element y"));
  BOOST_TEST(contains(refused, "note: the constraining type"));
  BOOST_TEST(contains(messages(classes + "model M replaceable A a constrainedby B; end M;"), "it has no element y"));
  BOOST_TEST(contains(messages(classes + "model E replaceable model X = B; X x; end E; model M E e(redeclare model X = A); end M;"),
                      "A is not compatible with the constraining type of X"));
}

BOOST_AUTO_TEST_CASE(the_constraining_type_is_narrowed_but_not_widened) {
  const std::string e = "model E replaceable B b constrainedby A; end E;";
  BOOST_TEST(messages(classes + e + "model M E e(redeclare A b); end M;") == "");
  BOOST_TEST(contains(messages(classes + e + "model F extends E(replaceable B b constrainedby B); end F; model M F f(redeclare A b); end M;"),
                      "A is not compatible with the constraining type of b"));
  BOOST_TEST(contains(messages(classes + "model M extends D(redeclare replaceable B b constrainedby A); end M;"),
                      "the new constraining type A is not compatible"));
}

BOOST_AUTO_TEST_CASE(what_a_redeclaration_does_not_give_is_kept) {
  Flattened f("model A replaceable parameter Real x[2] = {1, 2}; parameter Real y = x[2]; end A; model M A a(redeclare Real x = {3, 4}); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a.y") == 4);
}

BOOST_AUTO_TEST_CASE(modifiers_of_the_constraining_type_hold_for_every_redeclaration) {
  Flattened f("model R parameter Real r = 1; end R; model T parameter Real r = 2; parameter Real t = 5; end T;"
              "model C replaceable R a constrainedby R(r = 7); end C; model M C c(redeclare T a(t = 6)); end M;");
  BOOST_TEST(f.value("c.a.r") == 7);
  BOOST_TEST(f.value("c.a.t") == 6);
}

BOOST_AUTO_TEST_CASE(components_of_a_class_that_is_redeclared_final_take_modifications) {
  const std::string pipe = "model F parameter Real k = 1; final parameter Real l = 1; end F; model Pipe replaceable model Flow = F; Flow f(k = 3); end Pipe; ";
  Flattened f(pipe + "model M replaceable model Flow = F; Pipe p(redeclare final model Flow = Flow); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("p.f.k") == 3);
  Flattened given(pipe + "model M Pipe p(redeclare final model Flow = F(k = 4)); end M;");
  BOOST_TEST(given.value("p.f.k") == 3);   // the component's own comes last
  BOOST_TEST(contains(messages(pipe + "model M Pipe p(redeclare final model Flow = F(final k = 4)); end M;"), "final and cannot be modified"));
  BOOST_TEST(contains(messages(pipe + "model N extends Pipe(redeclare final replaceable model Flow = F); end N; model M N n(redeclare model Flow = F); end M;"),
                      "this element is final and cannot be modified"));
}

BOOST_AUTO_TEST_CASE(not_everything_can_be_redeclared) {
  BOOST_TEST(contains(messages("model A A1 a; model A1 end A1; end A; model B end B; model M A a(redeclare B a); end M;"),
                      "a is not replaceable and cannot be redeclared"));
  BOOST_TEST(contains(messages("model A replaceable constant Real x = 1; end A; model M A a(redeclare Real x = 2); end M;"),
                      "x is a constant and cannot be redeclared"));
  BOOST_TEST(contains(messages("model A final replaceable Real x = 1; end A; model M extends A; redeclare Real x = 2; end M;"),
                      "x is final and cannot be redeclared"));
  BOOST_TEST(contains(messages("model A protected replaceable Real x = 1; end A; model M extends A; redeclare Real x = 2; end M;"),
                      "x is protected and cannot be redeclared as public"));
  BOOST_TEST(contains(messages("model A replaceable Real x = 1; end A; model B extends A(redeclare Real x = 2); end B; model M B b(redeclare Real x = 3); end M;"),
                      "x is redeclared") == false);   // with its own type it may be
  BOOST_TEST(contains(messages(classes + "model E extends C(redeclare B a); end E; model M E e(redeclare A a); end M;"),
                      "a is not replaceable and cannot be redeclared"));
  BOOST_TEST(contains(messages("model M redeclare Real x = 1; end M;"), "x is redeclared but not inherited"));
}

BOOST_AUTO_TEST_CASE(class_extends_adds_to_the_inherited_class) {
  Flattened f("model A replaceable model B Real x = 1; end B; B b; end A;"
              "model C extends A; redeclare replaceable model extends B(x = 4) Real y = 2*x; end B; end C;"
              "model M extends C; redeclare model extends B Real z = y + 1; end B; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("b.x") == 4);
  BOOST_TEST(f.value("b.y") == 8);
  BOOST_TEST(f.value("b.z") == 9);
  BOOST_TEST(contains(messages("model A model B end B; end A; model M extends A; redeclare model extends B end B; end M;"),
                      "B is not replaceable and cannot be redeclared"));
  BOOST_TEST(contains(messages("model M replaceable model B end B; redeclare model extends B end B; end M;"), "B is redeclared but not inherited"));
}

BOOST_AUTO_TEST_CASE(a_new_input_cannot_be_added_where_nothing_connects_it) {
  const std::string in = "connector In = input Real; model A Real x = 1; end A; model B Real x = 1; In u; end B; model C replaceable A a; end C;";
  BOOST_TEST(contains(messages(in + "model M C c(redeclare B a); end M;"), "it adds the expandable") == false);
  BOOST_TEST(messages(in + "model M extends C(redeclare B a(u = 1)); end M;") == "");
}

BOOST_AUTO_TEST_CASE(functions_keep_the_order_of_their_inputs) {
  const std::string f = "function F input Real a; input Real b; output Real y; algorithm y := a; end F;"
                        "function G input Real b; input Real a; output Real y; algorithm y := a; end G;"
                        "model C replaceable function f = F; Real y = f(1, 2); end C;";
  BOOST_TEST(contains(messages(f + "model M C c(redeclare function f = G); end M;"), "its input number 1 is not a"));
}

BOOST_AUTO_TEST_CASE(a_redeclaration_says_more_than_what_was_said_of_what_it_replaces) {
  const std::string classes = "record G parameter Real r = 0; end G; record L extends G; end L; record K extends G; parameter Real m = 1; end K;"
                              "model Base replaceable parameter L cable constrainedby G; Real y = cable.r; end Base; function sel output L l = L(r = 5); algorithm end sel;"
                              "model Line extends Base(cable = sel()); end Line; model Line2 extends Line; end Line2;";
  Flattened f(classes + "model M Line2 a(redeclare K cable = K(r = 7)), b, c(cable = L(r = 3)); Line2 d[2](redeclare K cable = K(r = 8)); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a.cable.r") == 7);
  BOOST_TEST(f.value("a.cable.m") == 1);
  BOOST_TEST(f.value("b.cable.r") == 5);
  BOOST_TEST(f.value("c.cable.r") == 3);
  BOOST_TEST(f.value("d[2].cable.r") == 8);
}

BOOST_AUTO_TEST_SUITE_END()
