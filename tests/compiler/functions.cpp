// Functions (MLS 12).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(functions)

BOOST_AUTO_TEST_CASE(a_function_declares_inputs_outputs_and_one_body) {
  const auto with = [](const std::string& body) { return messages("function f input Real a; output Real b;\n" + body + "\nend f; model M Real x = f(2); end M;"); };
  BOOST_TEST(with("algorithm b := a;") == "");
  BOOST_TEST(contains(with("Real c; algorithm b := a;"), "c is public in a function but neither input nor output"));
  BOOST_TEST(contains(with("algorithm b := a; algorithm b := 2*a;"), "the function f has more than one body"));
  BOOST_TEST(contains(with("equation b = a;"), "the function f has an equation section"));
  BOOST_TEST(contains(with("algorithm a := 1; b := a;"), "a is an input and cannot be assigned"));
  BOOST_TEST(contains(with("protected Real c; algorithm b := c;"), "c is used before it has a value"));
  BOOST_TEST(contains(with("algorithm if a > 3 then b := 1; end if;"), "the result b of f is not always assigned"));
}

BOOST_AUTO_TEST_CASE(returning_and_breaking_under_conditions_of_the_run) {
  const std::string f =
      "function f input Real x; output Real y; algorithm y := 0; if x > 1 then y := 10; return; end if; y := x;"
      "for i in 1:5 loop y := y + 1; if y > 3.5 then break; end if; end for; y := 2*y; end f; model M Real y = f(time); end M;";
  const auto expected = [](double x) {
    double y = x;
    if (x > 1) return 10.0;
    for (int i = 0; i < 5; ++i) {
      y += 1;
      if (y > 3.5) break;
    }
    return 2 * y;
  };
  for (const double x : {-4.0, -0.5, 0.25, 0.75, 1.0, 1.5}) BOOST_TEST(Flattened(f).value("y", x) == expected(x), x);
}

BOOST_AUTO_TEST_CASE(returning_from_within_a_loop) {
  const std::string f =
      "function f input Real x; output Real n; algorithm n := -1; for i in 1:4 loop if i*i > x then n := i; return; end if; end for; n := 100; end f;"
      "model M Real n = f(time); end M;";
  BOOST_TEST(Flattened(f).value("n", 0.5) == 1);
  BOOST_TEST(Flattened(f).value("n", 5) == 3);
  BOOST_TEST(Flattened(f).value("n", 50) == 100);
}

BOOST_AUTO_TEST_CASE(arrays_of_open_size_grow) {
  Flattened f("function positive input Real v[:]; output Real w[:]; algorithm for k in 1:size(v,1) loop if v[k] > 0 then w := cat(1, w, {v[k]}); end if; end for; end positive;"
              "model M constant Real w[:] = positive({1, -2, 3}); Integer n = size(w, 1); end M;");
  BOOST_TEST(f.value("n") == 2);
  BOOST_TEST(f.value("w[2]") == 3);
}

BOOST_AUTO_TEST_CASE(an_input_may_size_itself) {
  Flattened f("function trace input Real A[:, size(A, 1)]; output Real t; algorithm t := sum(A[i, i] for i in 1:size(A, 1)); end trace;"
              "model M Real t = trace([1, 2; 3, 4]); end M;");
  BOOST_TEST(f.value("t") == 5);
  BOOST_TEST(contains(messages("function trace input Real A[:, size(A, 1)]; output Real t = A[1,1]; end trace; model M Real t = trace([1, 2]); end M;"),
                      "A[:,1] cannot have a value of size [1,2]"));
}

BOOST_AUTO_TEST_CASE(scalar_functions_apply_to_arrays_element_by_element) {
  const std::string f = "function f input Real x; input Real p = 1; output Real y = x^2*p; end f;";
  Flattened m(f + "model M Real v[3] = f({1, 2, 3}, 2), w[2,2] = f([1,2;3,4], {{1,1},{2,2}}); end M;");
  BOOST_TEST(m.value("v[3]") == 18);
  BOOST_TEST(m.value("w[2,1]") == 18);
  BOOST_TEST(contains(messages(f + "model M Real v[2] = f({1, 2}, {1, 2, 3}); end M;"), "the arguments of f are arrays of different sizes"));
  BOOST_TEST(contains(messages("function g input Real x; output Real a = x; output Real b = x; end g; model M Real v[2] = g({1, 2}); end M;"),
                      "only a function with one scalar result can"));
}

BOOST_AUTO_TEST_CASE(functions_are_arguments_of_functions) {
  const std::string f =
      "partial function I input Real x; output Real y; end I; function g input Real x; input Real p = 1; output Real y = x*p; end g;"
      "function twice input I f; input Real x; output Real y; algorithm y := f(f(x)); end twice;";
  Flattened m(f + "model M Real a = twice(function g(p = 3), 2), b = twice(g, 2); end M;");
  BOOST_TEST(m.value("a") == 18);
  BOOST_TEST(m.value("b") == 2);
}

BOOST_AUTO_TEST_CASE(a_function_of_a_component) {
  Flattened f("model A function f input Real x; output Real y = 2*x; end f; end A; model M A a; Real y = a.f(4); end M;");
  BOOST_TEST(f.value("y") == 8);
}

BOOST_AUTO_TEST_CASE(arguments_are_those_of_the_function) {
  const std::string f = "function f input Real a; input Real b = 2*a; output Real y = a + b; end f;";
  BOOST_TEST(Flattened(f + "model M Real y = f(1); end M;").value("y") == 3);
  BOOST_TEST(Flattened(f + "model M Real y = f(b = 5, a = 1); end M;").value("y") == 6);
  BOOST_TEST(contains(messages(f + "model M Real y = f(1, 2, 3); end M;"), "f takes 2 arguments, not 3"));
  BOOST_TEST(contains(messages(f + "model M Real y = f(c = 3); end M;"), "f has no input named c"));
  BOOST_TEST(contains(messages(f + "model M Real y = f(1, a = 3); end M;"), "the input a is given twice"));
  BOOST_TEST(contains(messages(f + "model M Real y = f(); end M;"), "the input a of f is not given and has no default"));
}

BOOST_AUTO_TEST_CASE(a_function_calls_itself_in_the_branch_that_is_taken) {
  const std::string factorial = "function f input Integer n; output Integer r; algorithm r := if n <= 1 then 1 else n*f(n - 1); end f;";
  Flattened f(factorial + "model M parameter Integer k = 5; Real x = f(k), y = f(6); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("x") == 120);
  BOOST_TEST(f.value("y") == 720);
  BOOST_TEST(messages(factorial + "model M Integer n(start = 3); Real x = f(n); equation when time > 1 then n = 2; end when; end M;") == "");
}

BOOST_AUTO_TEST_CASE(a_partial_derivative_is_that_of_its_function) {
  const std::string f = "function g input Real p; input Real T; input Integer n = 2; output Real y; protected Real h = p*T; algorithm y := if T > 1 then h*T else T^n; end g;"
                        "function g_T = der(g, T); function g_Tp = der(g, T, p);";
  // d/dT of p T^2 is 2 p T, of T^3 is 3 T^2.
  Flattened m(f + "model M Real a = g_T(3, 2 + time); Real b = g_T(3, 0.5*time, n = 3); Real c = g_Tp(3, T = 2*time); Real d[2] = g_T({1, 2}, {2, 3}); end M;");
  BOOST_TEST(m.messages() == "");
  BOOST_TEST(m.value("a", 1) == 2 * 3 * 3);
  BOOST_TEST(m.value("b", 1) == 3 * 0.25);
  BOOST_TEST(m.value("c", 2) == 2 * 4);
  BOOST_TEST(m.value("d[2]") == 12);
  BOOST_TEST(contains(messages(f + "function g_n = der(g, q); model M Real a = g_n(1, 2); end M;"), "q, by which g_n differentiates, is no input of g"));
  BOOST_TEST(contains(messages("function v input Real x[2]; output Real y = x[1]; end v; function v_x = der(v, x); model M Real a = v_x({1, 2}); end M;"),
                      "x must be a scalar Real for the derivative by it"));
}

BOOST_AUTO_TEST_CASE(what_functions_assert_holds_where_they_are_called) {
  const std::string f = "function root input Real x; output Real y; algorithm assert(x >= 0, \"negative\"); y := sqrt(x); end root;"
                        "function twice input Real x; output Real y; algorithm if x > 5 then y := 2*root(x - 5); else y := 0; end if; end twice;";
  const auto asserted = [&](const std::string& body) {
    Flattened m(f + "model M " + body + " end M;");
    BOOST_TEST(m.messages() == "");
    std::string all;
    for (const auto& a : m.model->assertions) all += compiler::print(*m.model, a.condition) + ";";
    return all;
  };
  BOOST_TEST(asserted("Real y = root(time);") == "time >= 0;");
  BOOST_TEST(asserted("Real y = twice(time);") == "not time > 5 or time - 5 >= 0;");
  // Only the branch that is taken calls.
  BOOST_TEST(asserted("Real y = if time > 1 then root(time - 1) else 0;") == "not time > 1 or time - 1 >= 0;");
  BOOST_TEST(asserted("Real y; equation if time > 1 then y = root(time - 1); else y = 0; end if;") == "not time > 1 or time - 1 >= 0;");
  // At events, and in the order of an algorithm.
  Flattened when(f + "model M Real y; equation when time > 1 then y = root(time); end when; end M;");
  BOOST_TEST(when.messages() == "");
  BOOST_TEST(when.model->assertions.empty());
  BOOST_TEST(when.model->whens.at(0).branches.at(0).body.size() == 2u);
  Flattened algorithm(f + "model M Real x, y; algorithm x := time; if x > 1 then x := x - 1; y := root(x); else y := 0; end if; end M;");
  BOOST_TEST(algorithm.messages() == "");
  BOOST_TEST(algorithm.model->assertions.empty());
}

BOOST_AUTO_TEST_CASE(a_branch_that_is_not_taken_calls_nothing) {
  // T follows from h or h from T: which one is known before the run.
  Flattened m("function half input Real x; output Real y; algorithm if x > 1 then y := x/2; else y := x; end if; end half;"
              "model M parameter Boolean use_T = true; parameter Real T = if use_T then 4 else half(h); parameter Real h = if use_T then half(T) else 7; end M;");
  BOOST_TEST(m.messages() == "");
  BOOST_TEST(m.value("h") == 2);
}

BOOST_AUTO_TEST_CASE(a_while_loop_may_end_where_the_run_says_so) {
  // The first entry that is larger than x, if any: the table bounds the loop.
  Flattened f("function place input Real x; input Real table[:]; output Integer i; algorithm i := 1; while i < size(table, 1) and table[i] <= x loop i := i + 1; end while; end place;"
              "model M Real a = place(time, {1, 2, 3, 4}); end M;");
  BOOST_TEST(f.messages() == "");
  for (const double x : {0.5, 1.0, 2.5, 3.5, 9.0}) BOOST_TEST(f.value("a", x) == (x < 1 ? 1 : x < 2 ? 2 : x < 3 ? 3 : 4));
  // With a return and a break on the way.
  Flattened g("function first input Real x; output Real y; protected Integer i = 0; algorithm y := -1; while i < 4 loop i := i + 1; if i*x > 6 then y := i; return; end if; "
              "if i*x < 0 then break; end if; end while; y := 10*i; end first; model M Real a = first(time); end M;");
  BOOST_TEST(g.messages() == "");
  BOOST_TEST(g.value("a", 2.5) == 3);
  BOOST_TEST(g.value("a", 1) == 40);
  BOOST_TEST(g.value("a", -1) == 10);
  // Where the loop would run out of the array, the run must not come.
  Flattened h("function place input Real x; input Real table[:]; output Integer i; algorithm i := 1; while table[i + 1] <= x loop i := i + 1; end while; end place;"
              "model M Real a = place(time, {0, 1, 2}); end M;");
  BOOST_TEST(h.messages() == "");
  BOOST_TEST(h.value("a", 1.5) == 2);
  BOOST_REQUIRE(h.model->assertions.size() == 1u);
  BOOST_TEST(compiler::print(*h.model, h.model->assertions[0].condition) == "not (1 <= time and 2 <= time)");
  BOOST_TEST(messages("function f input Real x; output Real y; algorithm y := x; while y > 1 loop y := y/2; end while; end f; model M Real a = f(time); end M;") == "");
}

BOOST_AUTO_TEST_CASE(too_many_arguments_of_a_call_element_by_element) {
  BOOST_TEST(contains(messages("function f input Real a; output Real b; algorithm b := a*a; end f; model M Real v[2] = f({1, 2}, {1, 2}); end M;"),
                      "f takes 1 argument, not 2"));
}

BOOST_AUTO_TEST_CASE(what_is_not_assigned_inside_size) {
  BOOST_TEST(messages("function f input Real u; output Real t; algorithm t := u + size({sin(t)}, 1); end f; model M Real y = f(time); end M;") == "");
  BOOST_TEST(messages("function f input Real u; output Real t; algorithm t := u + size({sin(-t), abs(if t > 1 then t else 2*t)}, 1); end f; model M Real y = f(time); end M;") == "");
  BOOST_TEST(contains(messages("function f input Real A[:, :]; output Real t; algorithm t := sum(A[i, i] for i in 1:size(A, integer(t))); end f; "
                               "model M Real y = f({{1, 2}, {3, 4}}); end M;"), "t is used before it has a value"));
}

BOOST_AUTO_TEST_SUITE_END()
