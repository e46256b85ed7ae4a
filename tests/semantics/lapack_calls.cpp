// external "FORTRAN 77" (MLS 12.9): arrays column by column, operands by address, workspace in protected variables.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;

namespace {

const std::string solve =
    "function solve input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b; output Integer info; "
    "protected Integer n = size(A, 1); Integer lda = max(1, n); Integer pivots[size(A, 1)]; Real factors[size(A, 1), size(A, 1)] = A; "
    "external \"FORTRAN 77\" dgesv(n, 1, factors, lda, pivots, x, lda, info) annotation (Library = \"lapack\"); end solve; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(lapack_calls)

// [2, 1; 0, 4] x = [3, 8]: x = [0.5, 2]; the transpose would give another one.
BOOST_AUTO_TEST_CASE(known_before_the_run_or_not) {
  for (const char* b : {"{3, 8}", "{3 + 0*time, 8}"}) {
    const Run r = run(solve + "model M Real x[2] = solve([2, 1; 0, 4], " + std::string(b) + "); end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.final("x[1]") == 0.5, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(r.final("x[2]") == 2.0, boost::test_tools::tolerance(1e-14));
  }
}

// The unknown stands in the right side of the inner system: x = A^-1 (y, 1) with A = [4, 1; 1, 3], and x[1] = time gives y = (11*time + 1)/3.
BOOST_AUTO_TEST_CASE(differentiated) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    const Run r = run(solve + "model M Real y, x[2]; equation x = solve([4, 1; 1, 3], {y, 1}); x[1] = time; end M;", 1, tolerance, 4);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    for (const double t : {0.25, 1.0}) BOOST_TEST(r.at("y", t) == (11*t + 1)/3, boost::test_tools::tolerance(1e-10));
  }
}

BOOST_AUTO_TEST_CASE(a_declaration_that_does_not_fit) {
  const Run r = run("function short input Real A[:, :]; output Real x[1]; output Integer info; protected Integer p[1]; Real f[size(A, 1), size(A, 2)] = A; "
                    "external \"FORTRAN 77\" dgesv(size(A, 1), 1, f, size(A, 1), p, x, size(A, 1), info); end short; model M Real x[1] = short({{1 + time, 0}, {0, 1}}); end M;");
  BOOST_REQUIRE(r.compiled);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("dgesv") != std::string::npos, r.message());
}

// A String among the function's own variables goes by reference, and has its value. The eigenvalues of an upper triangle are its diagonal.
BOOST_AUTO_TEST_CASE(own_texts) {
  const Run r = run(
      "function h input Real H[:, size(H, 1)]; input Boolean only; output Real re[size(H, 1)]; output Integer info; output Real Ho[:, :] = H; "
      "output Real Zo[:, :] = fill(0.0, size(H, 1), size(H, 2)); output Real im[size(H, 1)]; output Real work[3*max(1, size(H, 1))]; "
      "protected Integer n = size(H, 1); String job = if only then \"E\" else \"S\"; Integer ilo = 1; Integer ihi = n; Integer ldh = max(n, 1); Integer lwork = 3*max(1, size(H, 1)); "
      "external \"FORTRAN 77\" dhseqr(job, \"N\", n, ilo, ihi, Ho, ldh, re, im, Zo, ldh, work, lwork, info); end h; "
      "model M Real x[2] = h({{1 + time, 2}, {0, 3}}, time >= 0); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("x[1]") == 2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.final("x[2]") == 3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
