// Elements of records: sizes that functions give them (MLS 12.4.5), constants and parameters in them (12.6, 8.3.1).

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::tests;

namespace {

bool says(const Run& r, const std::string& text) { return (r.message() + r.diagnostics).find(text) != std::string::npos; }

const std::string systems =
    "operator record S Real A[:, size(A, 1)]; Real B[size(A, 1), :]; encapsulated operator 'constructor' import S; "
    "function fromMatrices input Real A[:, size(A, 1)]; input Real B[size(A, 1), :] = fill(0.0, size(A, 1), 0); "
    "output S result(redeclare Real A[size(A, 1), size(A, 2)], redeclare Real B[size(B, 1), size(B, 2)]); "
    "algorithm result.A := A; result.B := B; end fromMatrices; "
    "function fromDiagonal input Real d[:]; output S result; algorithm result.A := diagonal(d); result.B := fill(1.0, size(d, 1), 1); end fromDiagonal; "
    "end 'constructor'; end S; "
    "block Block parameter S system = S({1.0}); final parameter Integer n = size(system.A, 1); Real x[n](each start = 1, each fixed = true); "
    "equation der(x) = system.A*x; end Block; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(parts_of_records)

BOOST_AUTO_TEST_CASE(constructors_give_sizes) {
  const Run given = run(systems + "model M Block b(system = S(A = [0, 1; -1, 0], B = [0; 1])); Real y = size(b.system.B, 2); end M;");
  BOOST_REQUIRE_MESSAGE(given.ended(), given.message() + given.diagnostics);
  BOOST_TEST(std::abs(given.final("b.x[1]") - (std::cos(1) + std::sin(1))) < 1e-4);
  BOOST_TEST(given.final("y") == 1);
  const Run diagonal = run(systems + "model M Block b(system = S({-1, -2, -3})); end M;");
  BOOST_REQUIRE_MESSAGE(diagonal.ended(), diagonal.message() + diagonal.diagnostics);
  BOOST_TEST(std::abs(diagonal.final("b.x[3]") - std::exp(-3)) < 1e-4);
}

BOOST_AUTO_TEST_CASE(assignments_give_sizes) {
  const Run code = run(
      "record R Real v[:]; Real s; end R; "
      "function f input Real u; output R r; protected Integer k = 1; algorithm r.v := {u, 2*u}; r.s := 0; "
      "while k <= 2 loop r.s := r.s + r.v[k]; k := k + 1; end while; end f; "
      "function g input Real u; input Integer n; output Real s; protected R r; algorithm for k in 1:n loop r.v := cat(1, r.v, {u*k}); end for; s := sum(r.v) + size(r.v, 1); end g; "
      "model M R r = f(time); Real y = r.v[2] + r.s; Integer n = if time < 2 then 3 else 4; Real z = g(time, n), c = g(time, 2); end M;");
  BOOST_REQUIRE_MESSAGE(code.ended(), code.message() + code.diagnostics);
  BOOST_TEST(code.final("y") == 5);
  BOOST_TEST(code.final("z") == 9);
  BOOST_TEST(code.final("c") == 5);
  const Run fixed = run("record R Real v[2]; end R; function f input Real u; output R r; algorithm r.v := {u, u, u}; end f; model M R r = f(time); end M;");
  BOOST_TEST(says(fixed, "a part of size [2] cannot have a value of size [3]"), fixed.message() + fixed.diagnostics);
}

BOOST_AUTO_TEST_CASE(constants_take_what_is_given_or_say_why_not) {
  const std::string records = "record R constant Real k = 1; Real x; end R; record I Real a = 1; end I; record O constant I c = I(1); Real x; end O; ";
  BOOST_TEST(run(records + "model M O o = O(c = I(5), x = 1); Real y = o.c.a*time; end M;").final("y") == 5);
  BOOST_TEST(run(records + "model M R r = R(k = 4, x = time), q = r; Real y = q.k*time; end M;").final("y") == 4);
  for (const char* value : {"R(k = time, x = 1)", "if time < 0.5 then R(k = 2, x = 1) else R(k = 3, x = 1)"}) {
    const Run r = run(records + "model M R r = " + value + "; Real y = r.k; end M;");
    BOOST_TEST(says(r, "r.k is a constant, but its value varies with time"), r.message() + r.diagnostics);
  }
}

/// Functions of 3*time, by their bodies: where the size of an array depends on the way that is gone, the run finds it (MLS 12.4.5).
BOOST_AUTO_TEST_CASE(sizes_depend_on_the_way) {
  const struct {
    const char* body;
    double value;
  } cases[] = {
      // a body that is written once, and gives an empty array its size in the first round
      {"while k < u loop k := k + 1; end while; for j in 1:5 loop v := cat(1, v, {j + u}); end for; s := sum(v) + 100*size(v, 1);", 530},
      {"while k < u loop k := k + 1; end while; for j in 1:5 loop r.v := cat(1, r.v, {j + u}); end for; s := sum(r.v) + 100*size(r.v, 1);", 530},
      {"for j in 1:5 loop v := cat(1, v, {j}); if j > u then break; end if; end for; s := sum(v) + 100*size(v, 1);", 410},
      {"for j in 1:5 loop r.v := cat(1, r.v, {j}); if j > u then break; end if; end for; s := sum(r.v) + 100*size(r.v, 1);", 410},
      {"while k < u loop k := k + 1; r.v := fill(2, k); if k > 50 then break; end if; end while; s := sum(r.v) + 100*size(r.v, 1);", 306},
      // whole records
      {"for j in 1:3 loop r := R(fill(u, j)); if j > u then break; end if; end for; s := sum(r.v);", 9},
      {"if u > 0.5 then r := R({u, u}); else r := R({u}); end if; s := sum(r.v);", 6},
      // one branch alone
      {"if u > 0.5 then k := 1; else v := {u, u}; end if; s := 10*size(v, 1) + k;", 1},
      {"if u > 0.5 then r.v := {u, u}; end if; s := 10*size(r.v, 1) + sum(r.v);", 26},
  };
  for (const auto& c : cases) {
    const Run r = run(std::string("record R Real v[:]; end R; function f input Real u; output Real s; protected R r; Real v[:]; Integer k = 0; algorithm ") + c.body +
                      " end f; model M Real y = f(3*time); end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), c.body << "\n" << r.message() + r.diagnostics);
    BOOST_TEST(r.final("y") == c.value, c.body);
  }
}

BOOST_AUTO_TEST_CASE(other_sizes_of_an_element_are_looked_at) {
  const auto assigned = [](const std::string& element, const std::string& value) {
    const Run r = run("record R Real A" + element + "; Real q; end R; function f input Real u; input Integer k; output Real s; protected R r; algorithm r.A := " + value +
                      "; s := sum(r.A); end f; model M Integer n = if time < 2 then 4 else 5; Real z = f(1, n); end M;");
    return r.ended() ? fmt::format("{}", r.final("z")) : r.message() + r.diagnostics;
  };
  BOOST_TEST(assigned("[:, 2]", "fill(u, k, 2)") == "8");
  BOOST_TEST(assigned("[:, size(A, 1)]", "fill(u, k, k)") == "16");
  for (const auto& [element, value, said] : {std::tuple{"[:, 2]", "fill(u, k, 3)", "the size of r.A: the sizes 3 and 2 differ"}, std::tuple{"[:, size(A, 1)]", "fill(u, k, k + 1)", "the size of r.A: the sizes 5 and 4 differ"},
                                             std::tuple{"[:]", "fill(\"a\", k)", "r.A must be Real but is String"}, std::tuple{"[:]", "fill(u, k, k)", "r.A has 1 dimensions, not 2"}}) {
    const std::string text = assigned(element, value);
    BOOST_TEST(text.find(said) != std::string::npos, text);
  }
  const Run mapped = run("record R Real v[:]; end R; function f input Integer n; output R r; algorithm r.v := fill(n, n); end f; model M R r[2] = f({2, 1}); end M;");
  BOOST_TEST(says(mapped, "f applied to arrays element by element has results of different sizes"), mapped.message() + mapped.diagnostics);
}

BOOST_AUTO_TEST_CASE(constants_of_functions_that_are_code) {
  const auto y = [](const std::string& output, const std::string& assigned) {
    return run("record R constant Real k = 1; Real x; end R; function f input Real u; output R r" + output + "; protected Integer n = 0; algorithm while n < u loop n := n + 1; end while; " + assigned +
               " end f; model M R r = f(time); Real y = r.k; end M;");
  };
  BOOST_TEST(y("", "r.x := n;").final("y") == 1);
  BOOST_TEST(y("(k = 5)", "r.x := n;").final("y") == 5);
  BOOST_TEST(y("", "r := R(k = 4, x = n);").final("y") == 4);
  for (const char* varies : {"r := R(k = n, x = 1);", "r.x := 0; if n > 0 then r := R(k = 4, x = 2); end if;", "r.x := 0; if n > 5 then return; end if; r := R(k = 4, x = n);"}) {
    const Run r = y("", varies);
    BOOST_TEST(says(r, "r.k is a constant, but its value varies with time"), std::string(varies) + r.message() + r.diagnostics);
  }
}

/// Defaults use each other in any order, and what is given breaks a circle (MLS 12.6).
BOOST_AUTO_TEST_CASE(elements_use_later_ones) {
  const std::string layer = "record Layer parameter Real x = R*k; parameter Real R = x/k; parameter Real k = 2; Real n[size(v, 1)] = fill(x, 2); Real v[2] = {1, 2}; parameter Real late = 3*last; parameter Real last = x + k; end Layer; ";
  const Run r = run(layer + "model M parameter Layer a = Layer(x = 3), b = Layer(R = 3, k = 5); Real y = a.R + b.x + sum(a.n), z = a.late + b.late; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message() + r.diagnostics);
  BOOST_TEST(r.final("y") == 1.5 + 15 + 6);
  BOOST_TEST(r.final("z") == 15 + 60);
  const Run circle = run(layer + "model M parameter Layer a = Layer(); end M;");
  BOOST_TEST(says(circle, "depends on itself"), circle.message() + circle.diagnostics);
}

/// The layers of a wall as libraries of buildings have them: an array of records, given where a record is declared by another one.
BOOST_AUTO_TEST_CASE(arrays_in_modified_classes_share_out_their_values) {
  const std::string walls =
      "package P record Material parameter Real x; parameter Real c; parameter Real k = 2; parameter Integer n(min = 1) = max(1, integer(ceil(pi))); parameter Boolean steady = c == 0; "
      "parameter Real pi = if steady then 1 else x*sqrt(c); end Material; record Board = Material(c = 4, k = 3); record Concrete = Material(c = 16); "
      "record Generic parameter Integer layers; parameter Material material[layers]; final parameter Real x = sum(material[:].x); end Generic; "
      "record Both = Generic(material = {Board(x = 1.2), Concrete(x = 2)}, final layers = 2); "
      "model Single replaceable parameter Material material; Real T[material.n](each start = 1, each fixed = true); equation for i in 1:material.n loop der(T[i]) = -material.k*T[i]; end for; end Single; "
      "model Part replaceable parameter Generic wall; final parameter Integer n[wall.layers] = array(wall.material[i].n for i in 1:wall.layers); Single layers[wall.layers](material = wall.material); Real T[sum(n)] = fill(time, sum(n)); end Part; end P; ";
  const Run r = run(walls + "model M P.Part part(redeclare P.Both wall); parameter P.Both twice[2]; Real y = part.wall.x, z = twice[2].material[1].pi; Integer n = size(part.T, 1); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message() + r.diagnostics);
  BOOST_TEST(r.final("y") == 3.2);
  BOOST_TEST(r.final("z") == 2.4);
  BOOST_TEST(r.final("n") == 3 + 8);
  BOOST_TEST(std::abs(r.final("part.layers[1].T[3]") - std::exp(-3)) < 1e-5);
  BOOST_TEST(std::abs(r.final("part.layers[2].T[8]") - std::exp(-2)) < 1e-5);
}

BOOST_AUTO_TEST_CASE(libraries_choose_constants_by_parameters) {
  const Run r = run("model M L.A a; Real y = a.r.k*time; end M;", 1, 1e-6, 500,
                    "package L record R constant Integer k = 1; Real x = 1; end R; model A parameter Integer n = 2; R r = if n > 1 then R(k = 7, x = time) else R(k = 8, x = time); end A; end L;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message() + r.diagnostics);
  BOOST_TEST(r.final("y") == 7);
}

BOOST_AUTO_TEST_CASE(equations_compare_constants_and_parameters) {
  const std::string record = "record R constant Real c = 5; parameter Real p = 2; Real x; end R; ";
  BOOST_TEST(run(record + "model M R r; equation R(p = 2, x = time) = r; end M;").final("r.x") == 1);
  BOOST_TEST(run(record + "model M R r; equation when time > 0.5 then r = R(p = 2, x = 7); end when; end M;").final("r.x") == 7);
  BOOST_TEST(std::abs(run(record + "model M R r; initial equation r = R(p = 2, x = 1); equation der(r.x) = 1; end M;").final("r.x") - 2) < 1e-6);
  BOOST_TEST(run(record + "model M R r(p = 1/3, x = time), s(p = 1 - 2/3); equation r = s; end M;").final("s.x") == 1);
  const Run other = run(record + "model M R r; equation when time > 0.5 then r = R(p = 3, x = 7); end when; end M;");
  BOOST_TEST(says(other, "r.p is a parameter with the value 2, and would have to be 3"), other.message() + other.diagnostics);
  const Run output = run("operator record C Real re, im; end C; model M parameter C k(re = 1, im = 2); C y; equation y = k; end M;");
  BOOST_TEST(output.final("y.im") == 2);
}

BOOST_AUTO_TEST_SUITE_END()
