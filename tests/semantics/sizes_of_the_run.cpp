// Arrays of functions whose sizes the run alone knows (MLS 12.4.4, 12.4.5): made, sliced, put together, handed on, differentiated, and
// what is said where a size or a subscript is impossible. Expected numbers are closed forms, given at each test.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

/// y = f(x, n) with x = 1 + time, n = 4 before and 5 from time = 0.5 on, which no compiler knows.
std::string with(const std::string& functions, const std::string& call = "f(x, n)") {
  return functions + " model M Real x = 1 + time; Integer n(start = 4, fixed = true); Real y = " + call +
         "; equation when time >= 0.5 then n = 5; end when; end M;";
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9*std::max(1.0, std::abs(b)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(sizes_of_the_run)

BOOST_AUTO_TEST_CASE(a_protected_array_and_its_slices) {
  // v = x*{1, ..., n}; its first m = div(n, 2) elements, all behind them backwards: sum m(m+1)/2 x, and the last is (m+1) x.
  const Run r = run(with(
      "function f input Real x; input Integer n; output Real y; protected Real v[n]; Integer m = div(n, 2); Real w[:]; Real u[:]; algorithm "
      "for i in 1:n loop v[i] := i*x; end for; w := v[1:m]; u := v[n:-1:m + 1]; "
      "y := sum(w) + 1000*u[end] + 100000*size(u, 1) + 1e7*(if size(v, 1) == n then 1 else 0); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("y"), 3 + 1000*3 + 100000*2 + 1e7));
  BOOST_TEST(near(r.final("y"), 2*(3 + 1000*3) + 100000*3 + 1e7));
}

BOOST_AUTO_TEST_CASE(matrices_of_the_run) {
  // A = x*(1 + identity(n)): A*ones = x*(n + 1) each; A*A has the trace x^2 (n*(4 + (n - 1))) = x^2 n(n + 3); its first column without the
  // first element has n - 1 elements x.
  const Run r = run(with(
      "function f input Real x; input Integer n; output Real y; protected Real A[n, n] = x*(ones(n, n) + identity(n)); Real v[n] = A*ones(n); algorithm "
      "y := sum(v) + 100*sum((A*A)[i, i] for i in 1:n) + 10000*sum(A[2:n, 1]) + 1e6*(v*v) + max((transpose(A))[n, :]); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const auto expected = [](double x, double n) { return x*n*(n + 1) + 100*x*x*n*(n + 3) + 10000*(n - 1)*x + 1e6*n*std::pow(x*(n + 1), 2) + 2*x; };
  BOOST_TEST(near(r.initial("y"), expected(1, 4)));
  BOOST_TEST(near(r.final("y"), expected(2, 5)));
}

BOOST_AUTO_TEST_CASE(parts_are_assigned) {
  // The n x n matrix of zeros gets a frame: its first row 1, ..., n, its last column x; the row in the middle is that of the first times 2.
  const Run r = run(with(
      "function f input Real x; input Integer n; output Real y; protected Real A[n, n] = zeros(n, n); algorithm "
      "A[1, :] := {i for i in 1:n}; A[2:n, n] := fill(x, n - 1); A[2, 1:n - 1] := 2*A[1, 1:n - 1]; A[3, {1, 2}] := {7, 8}; y := sum(A); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const auto expected = [](double x, double n) { return n*(n + 1)/2 + (n - 1)*x + n*(n - 1) + 15; };
  BOOST_TEST(near(r.initial("y"), expected(1, 4)));
  BOOST_TEST(near(r.final("y"), expected(2, 5)));
}

BOOST_AUTO_TEST_CASE(an_array_moves_within_itself) {
  // {1, ..., n} turned by one, in place: sum of i*v[i] is that of i*(i + 1) for i < n, and n.
  const Run r = run(with(
      "function f input Real x; input Integer n; output Real y; protected Real v[:]; algorithm v := x*(1:n); v[1:n] := cat(1, v[2:n], v[1:1]); "
      "y := v*(1:n); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const auto expected = [](double x, double n) { return x*((n - 1)*n*(n + 1)/3 + n); };
  BOOST_TEST(near(r.initial("y"), expected(1, 4)));
  BOOST_TEST(near(r.final("y"), expected(2, 5)));
}

BOOST_AUTO_TEST_CASE(a_function_that_sorts_by_calling_itself) {
  // Quicksort of (7 i mod 11) x for i = 1, ..., n: weights of a sorted list grow, so its scalar product with 1:n is the largest possible.
  // n = 4: 7 3 10 6, sorted 3 6 7 10: 3 + 12 + 21 + 40 = 76. n = 5: and 2: 2 3 6 7 10: 2 + 6 + 18 + 28 + 50 = 104.
  const Run r = run(with(
      "function sorted input Real v[:]; output Real s[size(v, 1)]; protected Real less[:]; Real more[:]; Real p; algorithm "
      "if size(v, 1) <= 1 then s := v; return; end if; p := v[1]; less := fill(0, 0); more := fill(0, 0); "
      "for i in 2:size(v, 1) loop if v[i] < p then less := cat(1, less, {v[i]}); else more := cat(1, more, {v[i]}); end if; end for; "
      "s := cat(1, sorted(less), {p}, sorted(more)); end sorted; "
      "function f input Real x; input Integer n; output Real y; algorithm y := sorted({mod(7*i, 11)*x for i in 1:n})*(1:n); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("y"), 76));
  BOOST_TEST(near(r.final("y"), 2*104));
}

BOOST_AUTO_TEST_CASE(a_size_that_grows_in_a_loop) {
  // The binary digits of n, least first: 4 has three, 5 too; their sum is 1, then 2.
  const Run r = run(with(
      "function digits input Integer n; output Integer d[:]; protected Integer rest = n; algorithm d := fill(0, 0); "
      "while rest > 0 loop d := cat(1, d, {mod(rest, 2)}); rest := div(rest, 2); end while; end digits; "
      "function f input Real x; input Integer n; output Real y; protected Integer d[:] = digits(n); algorithm y := x*sum(d) + 100*size(d, 1); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("y"), 1 + 300));
  BOOST_TEST(near(r.final("y"), 4 + 300));
}

BOOST_AUTO_TEST_CASE(several_results_and_records) {
  const Run r = run(with(
      "record R Real v[:]; Real s; end R; "
      "function both input Real v[:]; output Real a[size(v, 1)]; output Real s; output Integer n; algorithm a := 2*v; s := sum(v); n := size(a, 1); end both; "
      "function use input R r; output Real y; algorithm y := r.v*r.v + r.s; end use; "
      "function f input Real x; input Integer n; output Real y; protected Real a[:]; Real s; Integer m; algorithm (a, s, m) := both(x*(1:n)); "
      "y := sum(a) + 100*s + 10000*m + 1e6*use(R(a, s)); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const auto expected = [](double x, double n) {
    const double s = x*n*(n + 1)/2, squares = x*x*n*(n + 1)*(2*n + 1)/6;
    return 2*s + 100*s + 10000*n + 1e6*(4*squares + s);
  };
  BOOST_TEST(near(r.initial("y"), expected(1, 4)));
  BOOST_TEST(near(r.final("y"), expected(2, 5)));
}

BOOST_AUTO_TEST_CASE(strings) {
  const Run r = run(with(
      "function names input Integer n; output String s[n]; algorithm for i in 1:n loop s[i] := \"n\" + String(i); end for; end names; "
      "function f input Real x; input Integer n; output Real y; protected String s[:] = names(n); String all = \"\"; algorithm "
      "for e in s[2:end] loop all := all + e; end for; y := if all == \"n2n3n4\" then x elseif all == \"n2n3n4n5\" then 10*x else 0; end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("y"), 1));
  BOOST_TEST(near(r.final("y"), 20));
}

BOOST_AUTO_TEST_CASE(what_is_not_reached_is_not_computed) {
  // v[1:9] lies outside: behind `and`, in an if and in a branch it is not asked for.
  const Run r = run(with(
      "function f input Real x; input Integer n; output Real y; protected Real v[n] = fill(x, n); Real w[:]; algorithm "
      "y := if n > 8 and sum(v[1:9]) > 0 then 1 else 2; y := y + (if n > 8 then sum(v[1:9]) else sum(v[1:2])); "
      "w := if n > 4 then v[1:3] else v; if n > 8 then w := v[1:9]; end if; y := y + 100*size(w, 1); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("y"), 2 + 2 + 400));
  BOOST_TEST(near(r.final("y"), 2 + 4 + 300));
}

BOOST_AUTO_TEST_CASE(vectorised_calls_and_built_in_functions) {
  // (i x)^2 + i summed; sin^2 + cos^2 = 1 each; the product 1*...*n; the norm of a cross product.
  const Run r = run(with(
      "function g input Real a; input Real b; output Real c; algorithm c := a^2 + b; end g; "
      "function f input Real x; input Integer n; output Real y; protected Real v[:] = x*(1:n); algorithm "
      "y := sum(g(v, 1:n)) + 100*sum(sin(v) .* sin(v) + cos(v) .^ 2) + 1e4*product(1:n) + 1e7*sum(abs(cross(v[n - 2:n], v[1:3]))) + 1e8*min(v); end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  // {n-2, n-1, n} x {1, 2, 3} = {3(n-1) - 2n, n - 3(n-2), 2(n-2) - (n-1)} = {n - 3, 6 - 2n, n - 3}.
  const auto expected = [](double x, double n) {
    return x*x*n*(n + 1)*(2*n + 1)/6 + n*(n + 1)/2 + 100*n + 1e4*std::tgamma(n + 1) + 1e7*x*x*4*(n - 3) + 1e8*x;
  };
  BOOST_TEST(near(r.initial("y"), expected(1, 4)));
  BOOST_TEST(near(r.final("y"), expected(2, 5)));
}

BOOST_AUTO_TEST_CASE(linear_equations_by_lapack) {
  // (identity + ones) s = x*(1:n): s_i = x*(i - n/2), as the sum of s is x*n/2.
  const Run r = run(with(
      "function solve input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b; output Integer info; protected Integer n = size(A, 1); "
      "Real work[size(A, 1), size(A, 1)] = A; Integer p[size(A, 1)]; external \"FORTRAN 77\" dgesv(n, 1, work, n, p, x, n, info); end solve; "
      "function f input Real x; input Integer n; output Real y; protected Real s[n]; Integer info; algorithm "
      "(s, info) := solve(identity(n) + ones(n, n), x*(1:n)); y := s[n] + 100*s[1] + 1e4*info; end f;"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("y"), 2 + 100*(1 - 2)));
  BOOST_TEST(near(r.final("y"), 2*(2.5 + 100*(1 - 2.5))));
}

BOOST_AUTO_TEST_CASE(a_triangular_system_solved_backwards) {
  // As the library's matrix equations do it: X[:, k + 1:n] in a loop downwards, in a function that is called with a matrix of the model.
  const Run r = run(
      "function back input Real R[:, size(R, 1)]; input Real b[size(R, 1)]; output Real x[size(R, 1)]; protected Integer n = size(R, 1); Integer k; algorithm "
      "k := n; while k > 0 loop x[k] := (b[k] - R[k, k + 1:n]*x[k + 1:n])/R[k, k]; k := k - 1; end while; end back; "
      "model M Real x[3] = back([2, 1, time; 0, 1, 3; 0, 0, 4], {1, 2, 8}); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.final("x[3]"), 2));
  BOOST_TEST(near(r.final("x[2]"), -4));
  BOOST_TEST(near(r.final("x[1]"), (1 + 4 - 2)/2.0));
}

BOOST_AUTO_TEST_CASE(the_jacobian_goes_through_them) {
  // f = sum over i = 1..n of (i z)^2 = z^2 n(n+1)(2n+1)/6 must be 30 + 60*time: z = sqrt((1 + 2 time)) for n = 4, and with n = 5 sqrt((30 + 60 time)/55).
  const Run r = run(
      "function f input Real z; input Integer n; output Real y; protected Real v[n]; algorithm for i in 1:n loop v[i] := i*z; end for; y := v[1:n]*v; end f; "
      "model M Real z(start = 1); Integer n(start = 4, fixed = true); equation f(z, n) = 30 + 60*time; when time >= 0.5 then n = 5; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.initial("z"), 1));
  BOOST_TEST(std::abs(r.at("z", 0.25) - std::sqrt(1.5)) < 1e-8);
  BOOST_TEST(std::abs(r.final("z") - std::sqrt(90/55.0)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(index_reduction_goes_through_them) {
  // x = f(time, n) = (1 + 4 + ... + n^2) time^2 and der(x) = v: v = 2*30*time for n = 4; a = der(v) = 60. n is a parameter of the run.
  const Run r = run(
      "function g input Real v[:]; output Real w[size(v, 1)]; output Real s; algorithm w := v; s := v*v; end g; "
      "function f input Real t; input Integer n; output Real y; protected Real v[:]; Real w[:]; algorithm v := {i*t for i in 1:n}; (w, y) := g(v); y := y/2 + w*w/2; end f; "
      "model M Integer n(start = 4, fixed = true); Real x; Real v; Real a; equation x = f(time, n); v = der(x); a = der(v); when time > 2 then n = 5; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("v") - 60) < 1e-6);
  BOOST_TEST(std::abs(r.at("a", 0.5) - 60) < 1e-6);
}

BOOST_AUTO_TEST_CASE(parameters_give_the_size_of_a_model_s_array) {
  // Called with what is known before the run, a function of the run's sizes is carried out then.
  const Run r = run(
      "function odd input Integer n; output Integer k[:]; protected Integer i = 1; algorithm k := fill(0, 0); while i <= n loop k := cat(1, k, {i}); i := i + 2; end while; end odd; "
      "model M parameter Integer n = 6; parameter Integer k[:] = odd(n); Real x[size(k, 1)] = k*time; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.final("x[3]"), 5));
}

BOOST_AUTO_TEST_CASE(a_value_made_of_what_has_none_yet) {
  // d is made of v before v has a value: nobody asks for it, and the rest is right.
  const Run r = run(
      "function f input Real x[3]; output Real y; protected Real v[3]; Real d = v[1] + 1; algorithm v := 2*x; y := sum(v); end f; "
      "model M parameter Real p = f({1, 2, 3}); Real y = p*time; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(near(r.final("y"), 12));
  BOOST_TEST(r.diagnostics.find("the value of d is made of a variable that has none yet") != std::string::npos, r.diagnostics);
}

BOOST_AUTO_TEST_CASE(the_code_does_not_grow_with_the_size) {
  const auto instructions = [](int n) {
    const Run r = run("function f input Real x; input Integer n; output Real y; protected Real v[n] = fill(x, n); algorithm v[2:n] := v[1:n - 1] + v[2:n]; y := sum(v); end f; "
                      "model M Integer n(start = " + std::to_string(n) + ", fixed = true); Real y = f(time, n); equation when time > 2 then n = 1; end when; end M;", 1, 1e-6, 2);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(near(r.final("y"), 2*n - 1));
    return r.program.code.size();
  };
  BOOST_TEST(instructions(10) == instructions(100000));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_with_its_place) {
  const auto fails_with = [](const std::string& body, const std::string& text) {
    const Run r = run(with("function f input Real x; input Integer n; output Real y; protected Real v[n] = fill(x, n); Real w[:]; algorithm y := 0; " + body + " end f;"));
    BOOST_TEST(r.compiled, r.diagnostics);
    BOOST_TEST(!r.ended());
    BOOST_TEST(r.message().find(text) != std::string::npos, body + ": " + r.message());
  };
  fails_with("y := v[n + 1];", "the index 5 lies outside 1:4");
  fails_with("v[n + 1] := 1;", "the index 5 lies outside 1:4");
  fails_with("y := sum(v[2:n + 1]);", "the index 5 lies outside 1:4");
  fails_with("w := fill(1, n - 5);", "an array cannot have the size [-1]");
  fails_with("w := v[2:n] + v;", "one size: the sizes 3 and 4 differ");
  fails_with("v := v[2:n];", "the size of v: the sizes 3 and 4 differ");
  fails_with("v[1:2] := v[1:n];", "a part of v and its value: the sizes 4 and 2 differ");
}

BOOST_AUTO_TEST_CASE(an_element_without_a_value) {
  const Run r = run(with("function g input Integer n; output Real y[n]; algorithm y[1] := 1; end g; "
                         "function f input Real x; input Integer n; output Real y; algorithm y := x*sum(g(n)); end f;"));
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("the function g returns without a value for y") != std::string::npos, r.diagnostics + r.message());
}

BOOST_AUTO_TEST_CASE(a_model_needs_sizes_before_the_run) {
  const std::string said = complaints(with("function f input Real x; input Integer n; output Real y[n]; algorithm y := fill(x, n); end f;", "sum(f(x, n))"));
  BOOST_TEST(said.find("known in the run alone") != std::string::npos, said);
}

BOOST_AUTO_TEST_SUITE_END()
