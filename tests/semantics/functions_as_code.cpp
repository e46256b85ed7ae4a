// Functions whose loops, sizes or recursion the run alone knows (MLS 12): code that is called, with its derivatives. Expected values
// are closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const std::string power = "function power input Real x; input Integer n; output Real y = 1; algorithm for k in 1:n loop y := y*x; end for; end power; ";

std::string failure(const Run& r) {
  for (const auto& m : r.result.messages)
    if (m.severity == mosim::runtime::Severity::error) return m.cause;
  return "";
}

std::size_t instructions(const std::string& text) { return run(text, 1, 1e-6, 2).program.code.size(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(functions_as_code)

BOOST_AUTO_TEST_CASE(a_loop_whose_end_the_run_knows) {
  const Run r = run(power + "model M Integer n = integer(4*time); Real y = power(1 + time, n), z(start = 1, fixed = true); equation der(z) = -power(z, 2); end M;", 0.9, 1e-9);
  BOOST_TEST(r.ended());
  BOOST_TEST(std::abs(r.final("y") - std::pow(1.9, 3)) < 1e-12);
  BOOST_TEST(std::abs(r.final("z") - 1 / 1.9) < 1e-7);   // der(z) = -z^2
}

BOOST_AUTO_TEST_CASE(a_function_that_calls_itself) {
  const Run r = run("function f input Integer n; output Integer y; algorithm if n <= 1 then y := 1; else y := n*f(n - 1); end if; end f; "
                    "function fib input Integer n; output Integer y; algorithm y := if n < 2 then n else fib(n - 1) + fib(n - 2); end fib; "
                    "model M Integer n = integer(10*time); Integer a = f(n), b = fib(n + 10); end M;", 0.75);
  BOOST_TEST(r.ended());
  BOOST_TEST(r.final("a") == 5040);
  BOOST_TEST(r.final("b") == 1597);   // fib(17)
}

BOOST_AUTO_TEST_CASE(mutual_recursion) {
  const Run r = run("function even input Integer n; output Boolean y; algorithm y := if n == 0 then true else odd(n - 1); end even; "
                    "function odd input Integer n; output Boolean y; algorithm y := if n == 0 then false else even(n - 1); end odd; "
                    "model M Integer n = integer(10*time); Boolean a = even(n), b = odd(n); end M;", 0.75);
  BOOST_TEST(r.final("a") == 0);
  BOOST_TEST(r.final("b") == 1);
}

// Once inlined, and once as code with a number of rounds that the run alone knows.
BOOST_AUTO_TEST_CASE(parts_of_arrays_of_records_are_assigned) {
  const std::string types = "record P Real v[2]; Integer n; end P; record R Real a; P p[2]; end R; ";
  const auto text = [&](const char* rounds) {
    return types + "function f input Integer n; input Real u; input Integer rounds; output R y[n]; output R z; algorithm for k in 1:rounds loop "
           "for i in 1:n loop y[i].a := i*u; y[i].p[1].v := {i, u}; y[i].p[2].v[2] := 10*i; y[i].p[2].v[1] := y[i].p[2].v[2] + 1; "
           "for j in 1:2 loop y[i].p[j].n := i + j; end for; end for; "
           "y[1:2].a := {y[2].a, y[1].a}; y[:].p[2].v[1] := {-i for i in 1:n}; z := y[n]; z.p[2] := P({7, 8}, 9); z.p[:].v[1] := {100, 200}; y[3] := z; end for; end f; "
           "model M R c[3], d; equation (c, d) = f(3, 2.0, " + rounds + "); end M;";
  };
  const std::pair<const char*, double> expected[] = {
      {"c[1].a", 4}, {"c[1].p[1].v[1]", 1}, {"c[1].p[1].v[2]", 2}, {"c[1].p[1].n", 2}, {"c[1].p[2].v[1]", -1}, {"c[1].p[2].v[2]", 10}, {"c[1].p[2].n", 3},
      {"c[2].a", 2}, {"c[2].p[1].v[1]", 2}, {"c[2].p[2].v[1]", -2}, {"c[2].p[2].v[2]", 20}, {"c[2].p[2].n", 4},
      {"c[3].a", 6}, {"c[3].p[1].v[1]", 100}, {"c[3].p[1].v[2]", 2}, {"c[3].p[1].n", 4}, {"c[3].p[2].v[1]", 200}, {"c[3].p[2].v[2]", 8}, {"c[3].p[2].n", 9},
      {"d.a", 6}, {"d.p[1].v[1]", 100}, {"d.p[2].v[2]", 8}, {"d.p[2].n", 9}};
  for (const char* rounds : {"1", "integer(1 + time)"}) {
    const Run r = run(text(rounds), 0.5);
    BOOST_TEST_CONTEXT(rounds) {
      BOOST_TEST(r.ended());
      for (const auto& [name, value] : expected) BOOST_TEST_CONTEXT(name) BOOST_TEST(r.final(name) == value);
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_that_do_not_fit_are_refused) {
  const std::string head = "record R Real a; Real b[2]; end R; function f input Integer n; output R y[n]; algorithm for i in 1:n loop y[i].a := 1; y[i].b := {1, 2}; end for; ";
  const auto refused = [&](const char* statement) { return complaints(head + statement + " end f; model M R c[3] = f(3); end M;"); };
  BOOST_TEST(refused("y[4].a := 1;").find("the subscript 4 of y lies outside 1:3") != std::string::npos);
  BOOST_TEST(refused("y[1].b[3] := 1;").find("lies outside 1:2") != std::string::npos);
  BOOST_TEST(refused("y[1].b := {1, 2, 3};").find("a part of size [2] cannot have a value of size [3]") != std::string::npos);
  BOOST_TEST(refused("y[1].c := 1;").find("has no element c") != std::string::npos);
  BOOST_TEST(refused("y[1].a := true;").find("Boolean") != std::string::npos);
  BOOST_TEST(refused("y[1].a[1] := 1;").find("is a scalar and has no subscripts") != std::string::npos);
}

// Bubble sort over sizes known at the call, with as many swaps as inversions.
BOOST_AUTO_TEST_CASE(elements_that_the_run_chooses) {
  const Run r = run("function sorted input Real x[:]; input Integer rounds; output Real y[size(x, 1)]; output Integer swaps = 0; protected Real t; algorithm y := x; "
                    "for k in 1:rounds loop for i in 1:size(x, 1) - 1 loop if y[i] > y[i + 1] then t := y[i]; y[i] := y[i + 1]; y[i + 1] := t; swaps := swaps + 1; end if; end for; end for; end sorted; "
                    "model M Integer n(start = 5, fixed = true); Real s[5]; Real c; equation (s, c) = sorted({3, time, -1, 7, 0.5}, n); when time > 2 then n = 1; end when; end M;", 1);
  const double expected[] = {-1, 0.5, 1, 3, 7};
  for (int k = 0; k < 5; ++k) BOOST_TEST(r.final("s[" + std::to_string(k + 1) + "]") == expected[k]);
  BOOST_TEST(r.final("c") == 6);   // (3,1) (3,-1) (3,.5) (1,-1) (1,.5) (7,.5)
}

BOOST_AUTO_TEST_CASE(matrices_and_records) {
  const Run r = run("record R Real a[2]; Real n; end R; "
                    "function mul input Real A[:, :]; input Real B[size(A, 2), :]; input Integer once; output Real C[size(A, 1), size(B, 2)]; output R s; algorithm "
                    "for i in 1:size(A, 1) loop for j in 1:size(B, 2) loop C[i, j] := 0; for k in 1:size(A, 2) loop C[i, j] := C[i, j] + A[i, k]*B[k, j]; end for; end for; end for; "
                    "s.n := 0; for i in 1:once loop s.n := s.n + 1; end for; s.a := {C[1, 1], C[size(A, 1), 1]}; end mul; "
                    "model M Integer n(start = 3, fixed = true); Real C[2, 2]; R s; equation (C, s) = mul([1, time; 2, 3], [1, 2; 3, 4], n); when time > 9 then n = 1; end when; end M;", 2);
  BOOST_TEST(r.final("C[1,1]") == 7);
  BOOST_TEST(r.final("C[1,2]") == 10);
  BOOST_TEST(r.final("C[2,1]") == 11);
  BOOST_TEST(r.final("C[2,2]") == 16);
  BOOST_TEST(r.final("s.n") == 3);
  BOOST_TEST(r.final("s.a[2]") == 11);
}

BOOST_AUTO_TEST_CASE(break_and_return) {
  const Run r = run("function first input Real x; input Integer n; output Integer y; algorithm y := 0; for i in 1:n loop if i*x > 6 then y := i; return; end if; if i*x < 0 then break; end if; end for; y := -n; end first; "
                    "model M Integer n(start = 9, fixed = true); Integer a, b, c; equation a = first(2.5, n); b = first(-1, n); c = first(0.1, n); when time > 9 then n = 1; end when; end M;");
  BOOST_TEST(r.final("a") == 3);
  BOOST_TEST(r.final("b") == -9);
  BOOST_TEST(r.final("c") == -9);
}

// Heron's iteration ends where the run says so.
BOOST_AUTO_TEST_CASE(a_while_loop_of_any_length) {
  const Run r = run("function root input Real a; output Real r; algorithm r := a; while abs(r*r - a) > 1e-14*a loop r := 0.5*(r + a/r); end while; end root; "
                    "function slow input Real x; output Real y; protected Integer k = 0; algorithm y := 0; while k < 5000*x loop k := k + 1; y := y + 1; end while; end slow; "
                    "model M Real x = root(2 + time), y = slow(time); end M;", 2);
  BOOST_TEST(std::abs(r.final("x") - 2) < 1e-13);
  BOOST_TEST(r.final("y") == 10000);
}

BOOST_AUTO_TEST_CASE(functions_as_arguments) {
  const Run r = run("partial function scalar input Real u; output Real y; end scalar; function line extends scalar; input Real k; algorithm y := k*u - 1; end line; "
                    "function bisect input scalar f; input Real a; input Real b; input Integer n; output Real x; protected Real lo = a; protected Real hi = b; algorithm "
                    "for i in 1:n loop x := 0.5*(lo + hi); if f(x) > 0 then hi := x; else lo := x; end if; end for; end bisect; "
                    "model M Integer n(start = 50, fixed = true); Real x = bisect(function line(k = 2 + time), 0, 4, n); equation when time > 9 then n = 1; end when; end M;", 1);
  BOOST_TEST(std::abs(r.final("x") - 1.0 / 3) < 1e-14);
}

// x^4 = 2 + t: x' = 1/(4 x^3), x'' = -3/(16 x^7).
BOOST_AUTO_TEST_CASE(its_derivatives_are_those_of_its_statements) {
  const Run r = run(power + "model M Integer n(start = 4, fixed = true); Real x(start = 1), y, z; equation power(x, n) = 2 + time; y = der(x); z = der(y); when time > 9 then n = 1; end when; end M;", 1);
  BOOST_TEST(r.ended());
  const double x = std::pow(3, 0.25);
  BOOST_TEST(std::abs(r.final("x") - x) < 1e-9);
  BOOST_TEST(std::abs(r.final("y") - 1 / (4 * x * x * x)) < 1e-9);
  BOOST_TEST(std::abs(r.final("z") + 3 / (16 * std::pow(x, 7))) < 1e-8);
}

// With elements, loops and another function inside: f = sum (i*u)^i, i = 1 ... 3, in an array; d/dt of it at u = t^2.
BOOST_AUTO_TEST_CASE(derivatives_through_arrays_and_calls) {
  const Run r = run(power + "function f input Real u; input Integer n; output Real y; protected Real w[4]; algorithm for i in 1:n loop w[i] := power(i*u, i); end for; y := 0; for i in 1:n loop y := y + w[i]; end for; end f; "
                    "model M Integer n(start = 3, fixed = true); Real y = f(time^2, n), v = der(y); equation when time > 9 then n = 1; end when; end M;", 1.5);
  const double t = 1.5, u = t * t, du = 2 * t;
  BOOST_TEST(std::abs(r.final("y") - (u + 4 * u * u + 27 * u * u * u)) < 1e-9);
  BOOST_TEST(std::abs(r.final("v") - (1 + 8 * u + 81 * u * u) * du) < 1e-9);
}

// The statements of a base class see what it imports, and what is redeclared around it (MLS 5.3.1, 13.2).
BOOST_AUTO_TEST_CASE(inherited_statements_have_their_names) {
  const std::string package =
      "package U constant Real k = 3; constant Integer n = 2; function g input Real x; output Real y; algorithm y := x; end g; end U; "
      "package E partial package One constant Real c = 1; replaceable function g input Real x; output Real y; algorithm y := x; end g; "
      "replaceable function f import id = U.g; import U.n; import U.k; input Real u; output Real y; protected Integer i = 0; Real w[n]; algorithm WHILE w := fill(u, n); y := g(id(w[n]))*k + c; end f; end One; "
      "package Two extends One(c = 10); redeclare function g input Real x; output Real y; algorithm y := 2*x; end g; redeclare function extends f end f; end Two; end E; ";
  for (const std::string loop : {"", "while i < u loop i := i + 1; end while;"}) {
    std::string text = package;
    text.replace(text.find("WHILE"), 5, loop);
    const Run r = run(text + "model M Real y = E.Two.f(time); end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.message() + r.diagnostics);
    BOOST_TEST(r.final("y") == 16);
  }
}

BOOST_AUTO_TEST_CASE(faults_have_their_place) {
  const Run outside = run("function f input Integer n; output Real y; protected Real w[3]; algorithm w := {1, 2, 3}; y := 0; for i in 1:n loop y := y + w[i]; end for; end f; "
                          "model M Integer n = 3 + integer(time); Real y = f(n); end M;", 2);
  BOOST_TEST(!outside.ended());
  BOOST_TEST(failure(outside).find("the index 4 lies outside 1:3") != std::string::npos, failure(outside));
  const Run without = run("function f input Integer n; output Real y; algorithm for i in 1:n loop y := i; end for; end f; model M Integer n = 1 - integer(time); Real y = f(n); end M;", 2);
  BOOST_TEST(failure(without).find("the function f returns without a value for y") != std::string::npos, failure(without));
  const Run deep = run("function f input Integer n; output Integer y; algorithm y := if n == 0 then 0 else f(n - 1); end f; model M Integer n = if time > 0.5 then -1 else 3; Integer y = f(n); end M;", 2);
  BOOST_TEST(failure(deep).find("calls itself") != std::string::npos, failure(deep));
}

BOOST_AUTO_TEST_CASE(what_it_asserts_holds_where_it_is_called) {
  const Run r = run("function f input Real x; input Integer n; output Real y; algorithm y := 0; for i in 1:n loop assert(x < i, \"x is \" + String(x) + \" in round \" + String(i)); y := y + x; end for; end f; "
                    "model M Integer n(start = 3, fixed = true); Real y = f(time, n); equation when time > 9 then n = 1; end when; end M;", 2);
  BOOST_TEST(!r.ended());
  BOOST_TEST(failure(r).find("in round 1") != std::string::npos, failure(r));
  BOOST_TEST(std::abs(r.result.time - 1) < 0.05);
}

// 16 rounds around an if were 1.5 million instructions once: code is as long as its text.
BOOST_AUTO_TEST_CASE(code_is_as_long_as_the_text) {
  const auto rounds = [](int n) {
    return instructions("function f input Real x; output Real y; algorithm y := x; for i in 1:" + std::to_string(n) + " loop if y > 1 then y := y/2 + sin(y); else y := 3*y; end if; end for; end f; model M Real y = f(time); end M;");
  };
  BOOST_TEST(rounds(16) < 1000u);         // short ones are still written out
  BOOST_TEST(rounds(1000) < 100u);
  BOOST_TEST(rounds(100'000) == rounds(1000));
  const auto calls = [](int n) {
    std::string text = "function f0 input Real x; input Integer n; output Real y; algorithm y := 0; for i in 1:n loop y := y + x; end for; end f0; ";
    for (int k = 1; k <= n; ++k) {
      const std::string below = "f" + std::to_string(k - 1);
      text += "function f" + std::to_string(k) + " input Real x; input Integer n; output Real y; algorithm y := 0; for i in 1:n loop y := y + " + below + "(x, n) + " + below + "(x + 1, n); end for; end f" + std::to_string(k) + "; ";
    }
    return instructions(text + "model M Integer n(start = 0, fixed = true); Real y = f" + std::to_string(n) + "(time, n); equation when time > 9 then n = 1; end when; end M;");
  };
  BOOST_TEST(calls(40) < 3 * calls(13));
  // A look-up over a long table.
  std::string table = "{0";
  for (int k = 1; k < 160; ++k) table += ", " + std::to_string(k * k);
  const std::string lookup = "function place input Real x; input Real t[:]; output Integer i; algorithm i := 1; while i < size(t, 1) and t[i + 1] <= x loop i := i + 1; end while; end place; ";
  const Run r = run(lookup + "model M constant Real t[:] = " + table + "}; Real i = place(100*time, t); end M;", 1.5);
  BOOST_TEST(r.final("i") == 13);   // 12^2 <= 150 < 13^2
  BOOST_TEST(r.program.code.size() < 1500u);
}

// What a function that is an argument was given beforehand may be the size of another thing that it was given, through any number of calls.
BOOST_AUTO_TEST_CASE(a_size_among_what_an_argument_was_given) {
  const std::string functions = "partial function F input Real u; output Real y; end F; "
                                "function f extends F; input Real d[n]; input Integer n; input Boolean twice = false; algorithm y := 0; for i in 1:n loop y := y + d[i]*u; end for; if twice then y := 2*y; end if; end f; "
                                "function step input F g; input Real a; output Real y; algorithm y := g(a); end step; "
                                "function q input F g; input Real a; output Real y; protected Real x = a; algorithm y := 0; while x > 0.1 loop y := y + step(g, x); x := x/2; end while; end q; "
                                "function o input Real t; input Real d[n]; input Integer n; input Boolean twice; output Real y; algorithm y := 0; if t > 0.5 then y := q(function f(d = d, n = n, twice = twice), t); end if; end o; ";
  const Run r = run(functions + "model M parameter Real d[2] = {1, 2}; parameter Integer n = 2; Real y = o(time, d, n, false); Real z = o(time, {1, 2, time}, 3, time > 0.7); end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.final("y") == 3*1.875, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.final("z") == 2*4*1.875, boost::test_tools::tolerance(1e-12));
  // What it was given may still be another one in the next run.
  const Run changed = run(functions + "model M parameter Real d[2] = {3, 4}; Real y = o(time, d, 2, false); end M;", 1);
  BOOST_REQUIRE_MESSAGE(changed.ended(), changed.diagnostics << changed.message());
  BOOST_TEST(changed.final("y") == 7*1.875, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
