// MLS 11.1.2: who assigns an element of an array in an algorithm initialises all of the array there, with start values or left
// limits, and nobody else gives it a value.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(algorithm_arrays)

BOOST_AUTO_TEST_CASE(continuous_elements_have_their_start_values) {
  const Run r = run("model M Real x[3](start = {-11, -22, -33}), m[2,2](start = [1, 2; 3, 4]), y; algorithm x[1] := time; m[1,:] := {time, 5}; y := x[2] + m[2,1]; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("x[1]") == 1);
  BOOST_TEST(r.final("x[3]") == -33);
  BOOST_TEST(r.final("m[1,2]") == 5);
  BOOST_TEST(r.final("m[2,2]") == 4);
  BOOST_TEST(r.final("y") == -19);
}

BOOST_AUTO_TEST_CASE(discrete_elements_keep_their_left_limits) {
  const Run r = run("model M Integer n[2](start = {5, 6}, each fixed = true); Real m[2,2](start = [1, 2; 3, 4], each fixed = true); algorithm "
                    "when {time > 0.25, time > 0.5} then n[1] := pre(n[1]) + n[2]; m[1,:] := {10, 20}; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("n[1]") == 17);
  BOOST_TEST(r.final("n[2]") == 6);
  BOOST_TEST(r.final("m[1,1]") == 10);
  BOOST_TEST(r.final("m[2,1]") == 3);
}

BOOST_AUTO_TEST_CASE(an_element_assigned_outside_of_the_when_makes_all_of_them_continuous) {
  const Run r = run("model M Real z[2](start = {4, 5}); algorithm when time > 0.25 then z[1] := 1; end when; z[1] := z[1] + 1; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("z[1]") == 5);
  BOOST_TEST(r.final("z[2]") == 5);
}

BOOST_AUTO_TEST_CASE(clocked_elements_keep_their_previous_values) {
  const Run r = run("model M Integer n[2](start = {5, 6}); Integer u = sample(1, Clock(0.25)); algorithm n[1] := previous(n[1]) + n[2] + u; end M;", 0.6);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("n[1]") == 26);   // three ticks of 7
  BOOST_TEST(r.final("n[2]") == 6);
}

BOOST_AUTO_TEST_CASE(records_are_no_arrays_but_arrays_of_them_are) {
  const Run r = run("model M record R Real a, b; end R; R s, v[2](a(start = {7, 8}), b(start = {1, 2})), w[2]; algorithm s.a := time; algorithm v[1] := R(3, 4); "
                    "algorithm w[1].a := 1; w[1].b := 2; equation s.b = 2; w[2].a = 3; w[2].b = 4; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("s.b") == 2);
  BOOST_TEST(r.final("v[2].a") == 8);
  BOOST_TEST(r.final("v[2].b") == 2);
  BOOST_TEST(r.final("w[2].a") == 3);
}

BOOST_AUTO_TEST_CASE(initial_algorithms_set_the_others_to_their_start_values) {
  const Run r = run("model M parameter Real p[2](each fixed = false, start = {1, 2}); Real q = 10*p[1] + p[2]; Real x[2](start = {3, 4}, fixed = {false, true}); "
                    "initial algorithm p[1] := 5; x[1] := 6; equation der(x) = {0, 0}; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.initial("q") == 52);
  BOOST_TEST(r.initial("x[1]") == 6);
  BOOST_TEST(r.initial("x[2]") == 4);
  BOOST_TEST(r.program.assumed_starts.empty());
}

BOOST_AUTO_TEST_CASE(results_of_a_function_are_assigned_likewise) {
  const Run r = run("model M function f input Real u; output Real a = u; output Real b = 2*u; algorithm end f; Real x[3](start = {1, 2, 3}); algorithm (x[1], x[3]) := f(time); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("x[1]") == 1);
  BOOST_TEST(r.final("x[2]") == 2);
  BOOST_TEST(r.final("x[3]") == 2);
}

BOOST_AUTO_TEST_CASE(nobody_else_gives_the_other_elements_a_value) {
  const std::string head = "model M Real x[2](start = {-11, -22}); ";
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  const std::string two = complaints(head + "algorithm x[1] := 1; algorithm x[2] := 2; end M;");
  BOOST_TEST(count(two, "error:") == 1u, two);
  BOOST_TEST(two.find("initialises all of it") != std::string::npos, two);
  BOOST_TEST(complaints(head + "algorithm x[1] := 1; equation x[2] = 2; end M;").find("x[2] = -22 (initialised with the rest of its array)") != std::string::npos);
  BOOST_TEST(count(complaints(head + "algorithm when time > 0.5 then x[1] := 1; end when; equation when time > 0.5 then x[2] = 1; end when; end M;"), "error:") == 1u);
  // In when-equations each element is a variable of its own.
  const Run r = run(head + "equation when time > 0.5 then x[1] = 1; end when; when time > 0.7 then x[2] = 2; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.final("x[2]") == 2);
}

// What index reduction needs of the steps of an algorithm is no variable of the model's: not among the results, and not in messages.
BOOST_AUTO_TEST_CASE(derivatives_of_steps_are_not_told) {
  const Run r = run("model M Real x, y; algorithm x := time; for i in 1:5 loop x := x + sin(x)/i; end for; if x > der(der(y)) then y := x; else y := -x; end if; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  for (const auto& v : r.program.variables) BOOST_TEST((v.name.find('$') == std::string::npos || !v.meaning.empty()), v.name);
}

BOOST_AUTO_TEST_SUITE_END()
