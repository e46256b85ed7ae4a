// Names, imports, inner and outer (MLS 5, 13.2).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(lookup)

BOOST_AUTO_TEST_CASE(a_composite_name_looks_into_packages_and_at_encapsulated_elements) {
  BOOST_TEST(messages("package P constant Real x = 2; end P; model M Real y = P.x; end M;") == "");
  BOOST_TEST(messages("model A Real x; encapsulated model B Real y = 1; end B; end A; model M A.B b; end M;") == "");
  const std::string refused = messages("model A Real x; model B Real y = 1; end B; end A; model M A.B b; end M;");
  BOOST_TEST(contains(refused, "A is no package, so B in it cannot be named from outside"));
  BOOST_TEST(contains(refused, "remedy: declare it encapsulated, or move it into a package"));
}

BOOST_AUTO_TEST_CASE(nothing_is_looked_up_in_a_partial_package) {
  BOOST_TEST(contains(messages("partial package P constant Real x = 2; end P; model M Real y = P.x; end M;"),
                      "P is partial, so nothing in it can be named from outside"));
}

BOOST_AUTO_TEST_CASE(protected_elements_are_not_named_from_outside) {
  BOOST_TEST(contains(messages("package P protected constant Real x = 2; end P; model M Real y = P.x; end M;"), "x is protected in P"));
  BOOST_TEST(contains(messages("model A protected Real x = 1; end A; model M A a; Real y = a.x; end M;"), "x is protected in A"));
}

BOOST_AUTO_TEST_CASE(imports_are_from_packages) {
  const std::string package = "package P constant Real x = 2; constant Real y = 3; protected constant Real z = 1; end P;";
  BOOST_TEST(messages(package + "model M import P.x; Real a = x; end M;") == "");
  BOOST_TEST(messages(package + "model M import k = P.y; Real a = k; end M;") == "");
  BOOST_TEST(messages(package + "model M import P.*; Real a = x + y; end M;") == "");
  BOOST_TEST(contains(messages(package + "model M import P.z; Real a = z; end M;"), "z is protected in P and cannot be imported"));
  BOOST_TEST(contains(messages("model N encapsulated model A Real x = 1; end A; Real r; end N; model M import N.A; A a; end M;"),
                      "N is no package: only from packages can be imported"));
  BOOST_TEST(contains(messages(package + "package Q constant Real x = 5; end Q; model M import P.*; import Q.*; Real a = x; end M;"),
                      "x is brought by two import clauses"));
  BOOST_TEST(contains(messages(package + "model M import P.x; import x = P.y; Real a = x; end M;"), "two import clauses of M bring the name x"));
}

BOOST_AUTO_TEST_CASE(reserved_names_are_not_declared) {
  BOOST_TEST(contains(of_model("Real Integer = 3;"), "Integer is the name of a predefined type"));
  BOOST_TEST(contains(of_model("model String end String;"), "String is the name of a predefined type"));
}

BOOST_AUTO_TEST_CASE(an_outer_element_means_the_nearest_inner_one) {
  Flattened f("model A outer Real T; Real x = T; end A; model B inner Real T = 2; A a; end B;"
              "model M inner Real T = 1; A a; B b; end M;");
  BOOST_TEST(f.value("a.x") == 1);
  BOOST_TEST(f.value("b.a.x") == 2);
}

BOOST_AUTO_TEST_CASE(inner_and_outer_are_both_classes_or_both_components) {
  BOOST_TEST(contains(messages("model A outer Real x; end A; model M inner model x = A; A a; end M;"), "x is outer and a component, but the inner x is a class"));
  BOOST_TEST(contains(messages("model B Real x; end B; model A outer model T = B; T m; end A; model M inner Real T; A a; end M;"),
                      "T is outer and a class, but the inner T is a component"));
  BOOST_TEST(contains(messages("model B Real x = 1; end B; model A outer model T = B(x = 1); T m; end A; model M inner model T = B(x = 2); A a; end M;"),
                      "T is outer, so it cannot be modified here"));
}

BOOST_AUTO_TEST_CASE(the_inner_element_is_a_subtype_of_the_outer_one) {
  const auto with = [](const std::string& inner, const std::string& outer) {
    return messages("model A outer " + outer + "; end A; model M inner " + inner + "; A a; end M;");
  };
  BOOST_TEST(with("Real T[3] = {1,2,3}", "Real T[3]") == "");
  BOOST_TEST(contains(with("Real T = 1", "Integer T"), "the inner T is not compatible with this outer one: Real is not Integer"));
  BOOST_TEST(contains(with("Real T[1] = {1}", "Real T"), "it has 1 array dimensions where the outer element has 0"));
  BOOST_TEST(contains(with("Real T[2] = {1,2}", "Real T[3]"), "its array dimension 1 is 2 where the outer element has 3"));
  BOOST_TEST(contains(with("Real T = time", "parameter Real T"), "it may vary more than the outer element"));
}

BOOST_AUTO_TEST_CASE(an_outer_element_is_not_modified) {
  const std::string m = " inner parameter Real p = 1; ";
  BOOST_TEST(contains(messages("model A outer parameter Real p = 2; end A; model M" + m + "A a; end M;"), "p is outer, so it cannot be modified"));
  BOOST_TEST(contains(messages("model A outer parameter Real p; end A; model M" + m + "A a(p = 2); end M;"), "p is an outer element and cannot be modified"));
}

BOOST_AUTO_TEST_CASE(an_outer_element_is_as_wide_as_it_is_declared) {
  const std::string classes = "model R Real i = 1; end R; model S extends R; Real a = 2; end S;";
  BOOST_TEST(messages(classes + "model A outer R w; Real x = w.i; end A; model M inner S w; A a; end M;") == "");
  BOOST_TEST(contains(messages(classes + "model A outer R w; Real x = w.a; end A; model M inner S w; A a; end M;"),
                      "w has no element a: it is declared outer as R"));
}

BOOST_AUTO_TEST_CASE(a_missing_inner_element_is_added_where_one_class_alone_is_asked_for) {
  Flattened f("model W parameter Real g = 9.81; end W; model A outer W w; Real x = w.g; end A; model M A a, b; end M;");
  BOOST_TEST(f.has("w.g"));
  BOOST_TEST(f.value("b.x") == 9.81);
  BOOST_TEST(contains(f.messages(), "warning: there is no inner w for this outer one: it is added at the top of the model"));
  BOOST_TEST(contains(messages("partial model W end W; model A outer W w; end A; model M A a; end M;"), "and none can be made: W is partial"));
  BOOST_TEST(contains(messages("model W end W; model V end V; model A outer W w; end A; model B outer V w; end B; model M A a; B b; end M;"),
                      "other outer ones of that name have another class"));
}

BOOST_AUTO_TEST_CASE(an_element_that_is_inner_and_outer_is_two) {
  Flattened f("model C outer Real k; Real x = k; end C; model S inner outer Real k = 2*k; C c; end S;"
              "model M inner Real k = 5; S s; C c; end M;");
  BOOST_TEST(f.value("s.c.x") == 10);
  BOOST_TEST(f.value("c.x") == 5);
}

BOOST_AUTO_TEST_CASE(a_function_may_be_outer) {
  Flattened f("partial function A input Real u; output Real y; end A; function B extends A; algorithm y := 2*u; end B;"
              "model D outer function f = A; Real y = f(3); end D; model M inner function f = B; D d; end M;");
  BOOST_TEST(f.value("d.y") == 6);
}

BOOST_AUTO_TEST_CASE(time_is_known_in_models_and_blocks_alone) {
  BOOST_TEST(contains(messages("function f output Real y; algorithm y := time; end f; model M Real x = f(); end M;"),
                      "time is known in models and blocks alone, and f is a function"));
  BOOST_TEST(contains(messages("record R Real x = time; end R; model M R r; end M;"), "and R is a record"));
}

BOOST_AUTO_TEST_CASE(an_inner_element_of_an_heir_counts_for_inherited_components) {
  Flattened f("model A outer Real k; outer Real l; Real x = k + l; end A; model B inner Real k = 1; A a; end B;"
              "model M extends B; inner Real l = 2; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a.x") == 3);
}

BOOST_AUTO_TEST_CASE(an_import_of_nothing_is_said_where_it_stands) {
  const std::string package = "package P constant Real alpha = 2; end P;";
  const std::string used = messages(package + "model M import P.alpa; Real a = alpa; end M;");
  BOOST_TEST(contains(used, "error: P has no element alpa"), used);
  BOOST_TEST(!contains(used, "there is no variable"), used);
  BOOST_TEST(contains(messages(package + "model M import P.alpa; Real a = 1; end M;"), "remedy: did you mean alpha?"));
  BOOST_TEST(contains(messages("model M import Q.x; Real a = 1; end M;"), "there is no class or library Q"));
}

BOOST_AUTO_TEST_SUITE_END()
