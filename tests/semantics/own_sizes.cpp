// Sizes that ask for another size of the same declaration, and declared values of a function's variables in any order (MLS 12.4.4).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(own_sizes)

BOOST_AUTO_TEST_CASE(a_square_matrix) {
  const Run r = run(
      "block S parameter Real A[:, size(A, 1)] = [1, 0; 0, 1]; parameter Real B[size(A, 1), :] = [1; 1]; parameter Real C[:, size(A, 1)] = [1, 1]; "
      "parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)); output Real x[size(A, 1)]; equation x = A*vector(B); end S; "
      "model M S s(A = [1, 2, 3; 4, 5, 6; 7, 8, 9], B = [1; 0; 1], C = [1, 2, 3]); S plain; parameter Real E[2, size(E, 1) + 1] = [1, 2, 3; 4, 5, 6]; Real e = sum(E); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("s.x[1]") == 4);
  BOOST_TEST(r.final("s.x[3]") == 16);
  BOOST_TEST(r.final("plain.x[2]") == 1);
  BOOST_TEST(r.final("e") == 21);
}

BOOST_AUTO_TEST_CASE(not_square) {
  const Run r = run("model M parameter Real A[:, size(A, 1)] = [1, 2, 3; 4, 5, 6]; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.diagnostics.find("A[:,2] cannot have a value of size [2,3]") != std::string::npos, r.diagnostics);
}

BOOST_AUTO_TEST_CASE(nothing_gives_it) {
  const Run r = run("model M parameter Real A[:, size(A, 1)]; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.diagnostics.find("the size of A is left open with ':' and no value gives it") != std::string::npos, r.diagnostics);
}

// y uses n, which is declared after it; both ways: written out, and as code.
BOOST_AUTO_TEST_CASE(declared_later) {
  for (const char* inlined : {"true", "false"}) {
    const Run r = run(std::string("function f input Real u[:]; output Real y[n + 1] = cat(1, u, zeros(n + 1 - size(u, 1))); output Real s = k + 1; protected Real k = 2*n; Integer n = size(u, 1); "
                                  "algorithm for i in 1:n loop y[i] := y[i] + s; end for; annotation(Inline = ") + inlined + "); end f; "
                                  "model M Real y[3] = f({time, 2*time}); end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.final("y[1]") == 6);
    BOOST_TEST(r.final("y[2]") == 7);
    BOOST_TEST(r.final("y[3]") == 0);
  }
}

BOOST_AUTO_TEST_CASE(in_a_circle) {
  const Run r = run("function f input Real u; output Real y = a + u; protected Real a = 2*b; Real b = a - 1; algorithm y := y + 1; end f; model M Real y = f(time); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.diagnostics.find("the declared value of a depends on itself") != std::string::npos, r.diagnostics);
}

// pre(d) is `not pre(e)` by another name.
BOOST_AUTO_TEST_CASE(an_initial_equation_of_two_names) {
  const Run r = run("model M Boolean e = time > 0.5, d = not e; Integer n(start = 0, fixed = true); initial equation pre(e) = false; pre(d) = not pre(e); "
                    "equation when e then n = pre(n) + 1; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("n") == 1);
  BOOST_TEST(r.diagnostics.find("says nothing") != std::string::npos, r.diagnostics);
}

BOOST_AUTO_TEST_SUITE_END()
