// Records as values (MLS 12.6, 8.3.1).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(records)

const std::string record = "record R Real a; Real b = 2*a; Integer n[2] = {1, 2}; end R;";

BOOST_AUTO_TEST_CASE(a_constructor_has_the_elements_as_inputs) {
  Flattened f(record + "model M R q = R(1, n = {3, 4}), p = R(a = 5, b = 6); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("q.b") == 2);
  BOOST_TEST(f.value("q.n[2]") == 4);
  BOOST_TEST(f.value("p.b") == 6);
  BOOST_TEST(contains(messages(record + "model M R q = R(); end M;"), "the element a of the record R is not given and has no default"));
  BOOST_TEST(contains(messages(record + "model M R q = R(1, c = 2); end M;"), "the record R has no element c to give"));
  BOOST_TEST(contains(messages(record + "model M R q = R(\"x\"); end M;"), "a must be Real but is String"));
}

BOOST_AUTO_TEST_CASE(constants_of_a_record_are_not_given) {
  Flattened f("record C constant Real k = 7; Real a; end C; model M C c = C(1); end M;");
  BOOST_TEST(f.value("c.k") == 7);
  BOOST_TEST(f.value("c.a") == 1);
}

BOOST_AUTO_TEST_CASE(arrays_of_records) {
  Flattened f(record + "model M R r[2] = {R(1), R(2, 5)}; R s[:] = {R(9)}; Real x = sum(r[i].b for i), y[2] = r.a; R t = r[2]; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("x") == 7);
  BOOST_TEST(f.value("y[2]") == 2);
  BOOST_TEST(f.value("t.b") == 5);
  BOOST_TEST(f.value("s[1].a") == 9);
  BOOST_TEST(contains(messages(record + "model M R r[3] = {R(1), R(2)}; end M;"), "r[3] cannot have a value of size [2]"));
}

BOOST_AUTO_TEST_CASE(equations_between_records_are_those_of_their_elements) {
  Flattened f("record P Real x; Real y; end P; model M P p, q; equation p = P(1, 2); q = if time > 1 then p else P(3, 4); end M;");
  BOOST_TEST(f.model->equations.size() == 4);
  BOOST_TEST(f.value("p.y") == 2);
  BOOST_TEST(f.value("q.x", 0) == 3);
  BOOST_TEST(f.value("q.x", 2) == 1);
  BOOST_TEST(contains(messages("record P Real x; end P; record Q Real y; end Q; model M P p; Q q; equation p = q; end M;"), "has no element x"));
}

BOOST_AUTO_TEST_CASE(functions_take_and_return_records) {
  Flattened f("record P Real x; Real y; end P; function swap input P p; output P q; algorithm q.x := p.y; q.y := p.x; end swap;"
              "model M P a = swap(P(1, 2)); P b = swap(swap(a)); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a.x") == 2);
  BOOST_TEST(f.value("b.y") == 1);
}

BOOST_AUTO_TEST_CASE(other_objects_have_no_value) {
  BOOST_TEST(contains(messages("model A Real x = 1; end A; model M A a, b; equation a = b; end M;"), "a is a model and has no value as a whole"));
  BOOST_TEST(contains(messages("model A Real x = 1; end A; model M A a = 3; end M;"), "a is a model, which has no value as a whole"));
}

BOOST_AUTO_TEST_CASE(a_record_is_set_as_a_whole_but_for_its_constants_and_parameters) {
  const std::string r = "record R Real x; final constant Real c = 5; parameter Real p = 2; end R; ";
  Flattened f(r + "model M R a, b, d; algorithm a := R(3); equation b = a; d = R(x = 4, p = 2); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.model->equations.size() == 2);
  BOOST_TEST(f.value("d.x") == 4);
  BOOST_TEST(contains(messages(r + "model M R a(x = 1), b(p = 7); equation b = a; end M;"), "b.p is a parameter with the value 7, and would have to be 2"));
  BOOST_TEST(contains(messages(r + "model M R a; equation a.c = 5; a.x = 1; end M;"), "a.c is a constant and cannot be set here"));
  Flattened later(r + "model M parameter Real q(fixed = false); R a(x = 1, p = q), b; initial equation q = 2; equation b = a; end M;");
  BOOST_TEST(later.messages() == "");
  BOOST_TEST(later.model->assertions.size() == 1);
}

BOOST_AUTO_TEST_CASE(constants_of_a_record_can_be_given) {
  const std::string r = "record R constant Integer n = 2; Real x[n] = 1:n; end R; record S extends R(n = 3); end S; record F Real x; final constant Real c = 5; end F; ";
  Flattened f(r + "function size_of input R r; output Integer n = size(r.x, 1); end size_of;"
                  "model M R a = S(), b = R(n = 4), c = R({7, 8}), d = R(1, {9}); S e; R g = e; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a.n") == 3);
  BOOST_TEST(f.value("a.x[3]") == 3);
  BOOST_TEST(f.value("b.x[4]") == 4);
  BOOST_TEST(f.value("c.x[2]") == 8);   // a list that fits without the constant is one without it
  BOOST_TEST(f.value("d.x[1]") == 9);
  BOOST_TEST(f.value("g.n") == 3);
  BOOST_TEST(contains(messages(r + "model M F f = F(x = 1, c = 2); end M;"), "the record F has no element c to give"));
}

BOOST_AUTO_TEST_SUITE_END()
