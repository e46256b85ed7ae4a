// Modifications (MLS 7.2).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(modification)

BOOST_AUTO_TEST_CASE(the_outer_modification_wins) {
  Flattened f("model A parameter Real a = 1, b = 2; end A; model B extends A(b = 3); end B; model M B x(a = 4), y(b = 5); end M;");
  BOOST_TEST(f.value("x.a") == 4);
  BOOST_TEST(f.value("x.b") == 3);
  BOOST_TEST(f.value("y.b") == 5);
}

BOOST_AUTO_TEST_CASE(what_is_modified_exists_and_can_be_seen) {
  BOOST_TEST(contains(messages("model A Real x = 1; end A; model M A a(xx = 2); end M;"), "A has no element xx"));
  const std::string refused = messages("model A protected Real x = 1; end A; model M A a(x = 2); end M;");
  BOOST_TEST(contains(refused, "x is protected in A and cannot be modified from outside"));
  BOOST_TEST(messages("model A protected Real x = 1; end A; model M extends A(x = 2); end M;") == "");
}

BOOST_AUTO_TEST_CASE(one_element_is_modified_once) {
  BOOST_TEST(messages("model A Real x = 1; end A; model M A a(x.unit = \"V\", x.displayUnit = \"mV\", x = 5); end M;") == "");
  BOOST_TEST(contains(messages("model A Real x = 1; end A; model M A a(x = 1, x = 2); end M;"), "x is modified twice"));
  BOOST_TEST(contains(messages("model A Real x = 1; end A; model M A a(x.unit = \"V\", x(unit = \"A\")); end M;"), "x is modified twice"));
}

BOOST_AUTO_TEST_CASE(arrays_of_components_share_out_their_values) {
  Flattened f("model A parameter Real x; end A; model B A a[2]; end B; model M B b[3](a(x = {{1,2},{3,4},{5,6}})); end M;");
  BOOST_TEST(f.value("b[2].a[1].x") == 3);
  BOOST_TEST(f.value("b[3].a[2].x") == 6);
}

BOOST_AUTO_TEST_CASE(each_is_for_arrays) {
  const std::string classes = "model A Real x = 1; Real v[2] = {1, 2}; end A; model B A a; end B;";
  BOOST_TEST(messages(classes + "model M A a[3](each x = 5); B b[2](each a(v(each start = 1))); B c(a(v(each start = 1))); end M;") == "");
  BOOST_TEST(contains(messages(classes + "model M A a(each x = 5); end M;"), "each has no meaning here: a is no array"));
  BOOST_TEST(contains(messages(classes + "model M B b(a(each x = 5)); end M;"), "each has no meaning here: b.a is no array"));
  BOOST_TEST(contains(of_model("Real x[2](each start = {1, 2});"), "each element of x is a scalar and cannot have a value of size [2]"));
}

BOOST_AUTO_TEST_CASE(each_holds_for_the_arrays_around_it_alone) {
  const std::string classes = "model C parameter Real a[3]; parameter Real d = 0; end C;"
                              "model B C c[5](each a = {1,2,3}, d = {1,2,3,4,5}); parameter Real p = 0; end B; model S C c[3](each a = {0,0,0}); end S;";
  Flattened nested(classes + "model M B b[2](each c(each a = {1,2,3}, d = {11,12,13,14,15}), p = {1,2}); S s[2](each c(d = {7,8,9})); end M;");
  BOOST_TEST(nested.messages() == "");
  for (const std::string k : {"1", "2"}) {
    BOOST_TEST(nested.value("b[" + k + "].c[4].a[2]") == 2);
    BOOST_TEST(nested.value("b[" + k + "].c[4].d") == 14);
    BOOST_TEST(nested.value("s[" + k + "].c[3].d") == 9);
  }
  BOOST_TEST(nested.value("b[2].p") == 2);
  Flattened without(classes + "model M B b[2](c(each a = {1,2,3}, d = {{1,2,3,4,5},{6,7,8,9,10}}), p = {1,2}); end M;");
  BOOST_TEST(without.value("b[2].c[4].d") == 9);
  Flattened dotted(classes + "model M B b(each c.a = {3,4,5}, c.d = {2,3,4,5,6}); end M;");
  BOOST_TEST(dotted.messages() == "");
  BOOST_TEST(dotted.value("b.c[5].a[1]") == 3);
  BOOST_TEST(dotted.value("b.c[5].d") == 6);
  BOOST_TEST(contains(messages(classes + "model M B b(each p = 3); end M;"), "each has no meaning here: b is no array"));
}

BOOST_AUTO_TEST_CASE(an_element_inherited_twice_is_one) {
  Flattened own("model A parameter Real k = 3; Real x = k; end A; model B extends A; parameter Real k = 3; Real y = 2*k; end B;"
                "model M B b(k = 5); end M;");
  BOOST_TEST(own.messages() == "");
  BOOST_TEST(own.value("b.x") == 5);
  BOOST_TEST(own.value("b.y") == 10);
  Flattened diamond("model A Real x; equation x = 4; end A; model B extends A; Real y = 2*x; end B; model C extends A; Real z = 3*x; end C;"
                    "model M extends B; extends C; end M;");
  BOOST_TEST(diamond.messages() == "");
  BOOST_TEST(diamond.model->equations.size() == 3);
  BOOST_TEST(diamond.value("y") == 8);
  BOOST_TEST(diamond.value("z") == 12);
  Flattened before("model A Real x = 2; end A; model M Real x = 2; extends A; end M;");
  BOOST_TEST(before.model->equations.size() == 1);
  Flattened order("function A input Real a; input Real b; output Real y; algorithm y := a - b; end A; function B extends A; input Real a; end B;"
                  "model M Real x = B(3, 1); end M;");
  BOOST_TEST(order.value("x") == 2);
}

BOOST_AUTO_TEST_CASE(a_modified_class_is_modified_for_every_element) {
  Flattened f("package P type T = Real; model N T v[2](each start = 1); end N; end P; package Q extends P(T(min = 3)); end Q; model M extends Q.N; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(contains(f.printed(), "Real v[2](each min = 3.0, each start = 1.0)"), f.printed());
}

BOOST_AUTO_TEST_CASE(an_array_class_is_extended) {
  Flattened f("type T = Real[3]; type S extends T; end S; function f output S s; algorithm s := {1, 2, 3}; end f;"
              "model M S v = f(); S w[2] = {v, 2*v}; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("v[3]") == 3);
  BOOST_TEST(f.value("w[2,3]") == 6);
}

BOOST_AUTO_TEST_CASE(an_extends_clause_takes_components_and_connections_out) {
  const std::string classes =
      "connector In = input Real; connector Out = output Real;"
      "block Step Out y = 2; end Step; block Gain In u; Out y = 3*u; end Gain; block Other In u1; Out y = 5*u1; end Other;"
      "model System Step step; Gain gain; Gain plant; Real seen = gain.y; equation connect(step.y, gain.u); connect(gain.y, plant.u); end System;"
      "model Derived extends System; end Derived;";
  Flattened between(classes + "model M extends Derived(break connect(plant . u, /* turned round */ gain.y)); Gain more;"
                              "equation connect(gain.y, more.u); connect(more.y, plant.u); end M;");
  BOOST_TEST(between.messages() == "");
  BOOST_TEST(between.value("plant.u") == 18);
  Flattened instead(classes + "model M extends Derived(break gain); Other gain; equation connect(step.y, gain.u1); connect(gain.y, plant.u); end M;");
  BOOST_TEST(instead.messages() == "");
  BOOST_TEST(instead.value("plant.y") == 30);
  BOOST_TEST(instead.value("seen") == 10);   // what was inherited means the new one
  Flattened twice(classes + "model N extends System(break gain, plant(y(start = 4))); Other gain; end N;"
                            "model M extends N(break connect(gain.y, plant.u), gain(u1 = 1)); equation plant.u = 1; end M;");
  BOOST_TEST(contains(twice.messages(), "N has no such connection"));   // it went with gain
  Flattened loops("connector C Real v; flow Real f; end C; model B C a[4], b[4]; equation for i in 1:3 loop connect(b[i], a[i + 1]); end for;"
                  "connect(a[1], b[4]); end B; model M extends B(break connect(a[i+1], b[i])); end M;");
  BOOST_TEST(loops.messages() == "");
  BOOST_TEST(loops.model->equations.size() == 10);   // eight flows from outside are 0; one sum of two, and two potentials equal
}

BOOST_AUTO_TEST_CASE(what_is_taken_out_is_there_and_is_a_model_a_block_or_a_connector) {
  const std::string classes = "model S Real x = 1; end S; partial model P end P; model A S s; Real y = 1; model I end I; replaceable P p; end A;";
  BOOST_TEST(messages(classes + "model M extends A(break s, break p); end M;") == "");
  BOOST_TEST(contains(messages(classes + "model M extends A(break t, break p); end M;"), "A has no element t"));
  BOOST_TEST(contains(messages(classes + "model M extends A(break y, break p); end M;"), "y is a Real, and `break` takes out models, blocks and connectors alone"));
  BOOST_TEST(contains(messages(classes + "model M extends A(break I, break p); end M;"), "I is a class, and `break` takes out"));
  BOOST_TEST(contains(messages(classes + "model M extends A(break s, s(x = 2), break p); end M;"), "s was taken out by `break` and cannot be modified"));
  BOOST_TEST(contains(messages(classes + "model B extends A(break s, break p); end B; model M extends B(s(x = 2)); end M;"), "B has no element s"));
  BOOST_TEST(contains(messages(classes + "model M extends A(break p, break connect(s, p)); end M;"), "A has no such connection"));
}

BOOST_AUTO_TEST_CASE(a_class_that_is_an_array_shares_out_its_own_modification) {
  Flattened f("model A parameter Real x = 0, y[2] = {0, 0}; end A; model A3 = A[3](x = {1, 2, 3}, y = {{1, 2}, {3, 4}, {5, 6}}); model A23 = A3[2](x = {{1, 2, 3}, {4, 5, 6}});"
              "model E = A[3](each x = 7, each y = {8, 9}); model M A23 a[2]; E e[1]; E d(y = {{1, 2}, {3, 4}, {5, 6}}); A3 b; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a[2,1,3].x") == 3);
  BOOST_TEST(f.value("a[1,2,3].x") == 6);
  BOOST_TEST(f.value("a[2,2,2].y[1]") == 3);
  BOOST_TEST(f.value("e[1,2].x") == 7);
  BOOST_TEST(f.value("e[1,3].y[2]") == 9);
  BOOST_TEST(f.value("d[3].y[1]") == 5);
  BOOST_TEST(f.value("d[3].x") == 7);
  BOOST_TEST(f.value("b[2].x") == 2);
  BOOST_TEST(contains(messages("model A parameter Real x; end A; model A3 = A[3](x = {1, 2}); model M A3 a; end M;"), "size"));
}

BOOST_AUTO_TEST_SUITE_END()
