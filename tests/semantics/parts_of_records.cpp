// Elements of records: sizes that functions give them (MLS 12.4.5), constants and parameters in them (12.6, 8.3.1).

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
