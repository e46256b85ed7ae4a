// Routines of LAPACK and BLAS on what has a closed form, and operands that do not fit. Arrays go column by column.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "calls.hpp"
#include "native/fortran_routine.hpp"
#include "native/lapack.hpp"
#include "native/lapack_library.hpp"

using calls::error;
using mosim::native::FortranOperand;

namespace {

using Numbers = std::vector<double>;

struct Operand {
  Numbers numbers;
  std::string text;
  bool real = true;
  bool result = true;
};

Operand real(Numbers numbers) { return {std::move(numbers), {}, true}; }
Operand real(double number) { return {{number}, {}, true}; }
Operand reals(std::size_t count) { return {Numbers(count), {}, true}; }
Operand whole(Numbers numbers) { return {std::move(numbers), {}, false}; }
Operand whole(double number) { return {{number}, {}, false}; }
Operand wholes(std::size_t count) { return {Numbers(count), {}, false}; }
Operand text(std::string letters) { return {{}, std::move(letters), false}; }

/// The operands as the call leaves them.
std::vector<Operand> call(std::string_view name, std::vector<Operand> operands) {
  std::vector<FortranOperand> given;
  for (Operand& o : operands) given.push_back({o.numbers, o.text, o.real, o.result});
  mosim::native::call_fortran(name, given);
  return operands;
}

std::string refusal(std::string_view name, const std::vector<Operand>& operands) {
  return error([&] { call(name, operands); });
}

void near(const Numbers& found, const Numbers& expected, double tolerance = 1e-13) {
  BOOST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(std::abs(found[i] - expected[i]) <= tolerance, "at " << i << ": " << found[i] << ", expected " << expected[i]);
}

/// a (m x k) times b (k x n).
Numbers product(const Numbers& a, const Numbers& b, std::size_t m, std::size_t k, std::size_t n) {
  Numbers c(m * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t i = 0; i < m; ++i) c[i + j * m] += a[i + l * m] * b[l + j * k];
  return c;
}

Numbers transposed(const Numbers& a, std::size_t m, std::size_t n) {
  Numbers t(a.size());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) t[j + i * n] = a[i + j * m];
  return t;
}

Numbers upper(Numbers a, std::size_t m, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j + 1; i < m; ++i) a[i + j * m] = 0;
  return a;
}

const Numbers identity2 = {1, 0, 0, 1};
const Numbers identity3 = {1, 0, 0, 0, 1, 0, 0, 0, 1};

}  // namespace

BOOST_AUTO_TEST_SUITE(lapack)

BOOST_AUTO_TEST_CASE(linear_systems) {
  // 2 x + y = 3, x + 3 y = 5.
  auto r = call("dgesv", {whole(2), whole(1), real({2, 1, 1, 3}), whole(2), wholes(2), real({3, 5}), whole(2), whole(-7)});
  near(r[5].numbers, {0.8, 1.4});
  BOOST_TEST(r[7].numbers[0] == 0);
  // Two right-hand sides; the largest of the first column is in row 2.
  r = call("dgesv", {whole(3), whole(2), real({2, 4, -2, 1, -6, 7, 1, 0, 2}), whole(3), wholes(3), real({5, -2, 9, 4, -2, 7}), whole(3), whole(0)});
  near(r[5].numbers, {1, 1, 2, 1, 1, 1});
  BOOST_TEST(r[4].numbers[0] == 2);
  r = call("dgesv", {whole(2), whole(1), real({1, 2, 2, 4}), whole(2), wholes(2), real({1, 1}), whole(2), whole(0)});
  BOOST_TEST(r[7].numbers[0] == 2, "a singular matrix: the second pivot is zero");
  // -u'' = 0 between -1 and 1: tridiagonal, and as a band.
  r = call("dgtsv", {whole(3), whole(1), real({-1, -1}), real({2, 2, 2}), real({-1, -1}), real({1, 0, 1}), whole(3), whole(0)});
  near(r[5].numbers, {1, 1, 1});
  r = call("dgbsv", {whole(3), whole(1), whole(1), whole(1), real({0, 0, 2, -1, 0, -1, 2, -1, 0, -1, 2, 0}), whole(4), wholes(3), real({1, 0, 1}),
                     whole(3), whole(0)});
  near(r[7].numbers, {1, 1, 1});
  // A' x = b with the condition of A: A = diag(1, 4) has 1/4.
  r = call("dgesvx", {text("N"), text("T"), whole(2), whole(1), real({1, 0, 0, 4}), whole(2), reals(4), whole(2), wholes(2), text(" "), reals(2),
                      reals(2), real({3, 8}), whole(2), reals(2), whole(2), real(0), reals(1), reals(1), reals(8), wholes(2), whole(0)});
  near(r[14].numbers, {3, 2});
  near(r[16].numbers, {0.25});
}

BOOST_AUTO_TEST_CASE(factors_and_inverse) {
  const auto lu = call("dgetrf", {whole(2), whole(2), real({4, 2, 7, 6}), whole(2), wholes(2), whole(0)});
  near(lu[2].numbers, {4, 0.5, 7, 2.5});
  const Operand a = lu[2], pivots = whole(lu[4].numbers);
  near(call("dgetrs", {text("N"), whole(2), whole(1), a, whole(2), pivots, real({11, 8}), whole(2), whole(0)})[6].numbers, {1, 1});
  near(call("dgetri", {whole(2), a, whole(2), pivots, reals(4), whole(4), whole(0)})[1].numbers, {0.6, -0.2, -0.7, 0.4});
  // |A|_1 = 13, |inv(A)|_1 = 1.1.
  near(call("dgecon", {text("1"), whole(2), a, whole(2), real(13), real(0), reals(8), wholes(2), whole(0)})[5].numbers, {1 / (13 * 1.1)});
  // Of [2 1; 0 2]: its square.
  near(call("dpotrf", {text("U"), whole(2), real({4, 2, 2, 5}), whole(2), whole(0)})[2].numbers, {2, 2, 1, 2});
  BOOST_TEST(call("dpotrf", {text("L"), whole(2), real({1, 2, 2, 1}), whole(2), whole(0)})[4].numbers[0] == 2);
}

BOOST_AUTO_TEST_CASE(least_squares) {
  // The line through (0, 0), (1, 1), (2, 1): 1/6 + x/2.
  const Operand a = real({1, 1, 1, 0, 1, 2}), b = real({0, 1, 1});
  const auto line = [](const Operand& x) { near({x.numbers[0], x.numbers[1]}, {1.0 / 6, 0.5}); };
  line(call("dgels", {text("N"), whole(3), whole(2), whole(1), a, whole(3), b, whole(3), reals(10), whole(10), whole(0)})[6]);
  auto r = call("dgelsy", {whole(3), whole(2), whole(1), a, whole(3), b, whole(3), wholes(2), real(1e-10), whole(0), reals(20), whole(20), whole(0)});
  line(r[5]);
  BOOST_TEST(r[9].numbers[0] == 2);
  r = call("dgelsx", {whole(3), whole(2), whole(1), a, whole(3), b, whole(3), wholes(2), real(1e-10), whole(0), reals(8), whole(0)});
  line(r[5]);
  // Of lower rank: the shortest of all x with x1 + x2 = 2.
  r = call("dgelsy",
           {whole(2), whole(2), whole(1), real({1, 1, 1, 1}), whole(2), real({2, 2}), whole(2), wholes(2), real(1e-10), whole(0), reals(20), whole(20), whole(0)});
  near(r[5].numbers, {1, 1});
  BOOST_TEST(r[9].numbers[0] == 1);
  // The shortest x with x1 + x2 = 1, as a constraint.
  near(call("dgglse", {whole(2), whole(2), whole(1), real(identity2), whole(2), real({1, 1}), whole(1), reals(2), real(1), reals(2), reals(20), whole(20),
                       whole(0)})[9].numbers,
       {0.5, 0.5});
}

BOOST_AUTO_TEST_CASE(orthogonal_factors) {
  const Numbers a = {1, 2, 2, 3, -1, 4};  // 3 x 2
  const auto qr = call("dgeqrf", {whole(3), whole(2), real(a), whole(3), reals(2), reals(6), whole(6), whole(0)});
  BOOST_TEST(std::abs(qr[2].numbers[0]) == 3, boost::test_tools::tolerance(1e-14));  // the length of the first column
  const Numbers q = call("dorgqr", {whole(3), whole(2), whole(2), qr[2], whole(3), qr[4], reals(4), whole(4), whole(0)})[3].numbers;
  near(product(transposed(q, 3, 2), q, 2, 3, 2), identity2);
  const Numbers upper_rows = upper(qr[2].numbers, 3, 2);
  const Numbers r = {upper_rows[0], 0, upper_rows[3], upper_rows[4]};
  near(product(q, r, 3, 2, 2), a);
  // Q' A = [R; 0].
  near(call("dormqr", {text("L"), text("T"), whole(3), whole(2), whole(2), qr[2], whole(3), qr[4], real(a), whole(3), reals(8), whole(8), whole(0)})[8].numbers,
       upper_rows);
  // The longer column comes first.
  for (const std::string name : {"dgeqp3", "dgeqpf"}) {
    std::vector<Operand> operands = {whole(3), whole(2), real(a), whole(3), wholes(2), reals(2), reals(7), whole(7), whole(0)};
    if (name == "dgeqpf") operands.erase(operands.begin() + 7);
    const auto found = call(name, operands);
    BOOST_TEST((found[4].numbers == Numbers{2, 1}));
    BOOST_TEST(std::abs(found[2].numbers[0]) == std::sqrt(26.0), boost::test_tools::tolerance(1e-14));
  }
}

BOOST_AUTO_TEST_CASE(singular_values) {
  auto r = call("dgesvd", {text("N"), text("N"), whole(3), whole(3), real({3, 0, 0, 0, -5, 0, 0, 0, 4}), whole(3), reals(3), reals(9), whole(3), reals(9),
                           whole(3), reals(30), whole(30), whole(0)});
  near(r[6].numbers, {5, 4, 3});
  // 2 x 3; the standard library hands dgesdd one Integer for its working memory of 16.
  const Numbers a = {3, 0, 4, 0, 0, 2};
  r = call("dgesdd", {text("A"), whole(2), whole(3), real(a), whole(2), reals(2), reals(4), whole(2), reals(9), whole(3), reals(200), whole(200), whole(1), whole(0)});
  near(r[5].numbers, {5, 2});
  const Numbers u = r[6].numbers, sigma = {r[5].numbers[0], 0, 0, r[5].numbers[1], 0, 0};
  near(product(product(u, sigma, 2, 2, 3), r[8].numbers, 2, 3, 3), a);
  near(product(transposed(u, 2, 2), u, 2, 2, 2), identity2);
}

BOOST_AUTO_TEST_CASE(eigenvalues) {
  // A turn by 0.3: exp(0.3 i) and its conjugate.
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Numbers turn = {c, s, -s, c};
  auto r = call("dgeev", {text("N"), text("V"), whole(2), real(turn), whole(2), reals(2), reals(2), reals(1), whole(1), reals(4), whole(2), reals(24), whole(24),
                          whole(0)});
  near(r[5].numbers, {c, c});
  near(r[6].numbers, {s, -s});
  // A (v + i w) = (c + i s) (v + i w).
  const Numbers v = {r[9].numbers[0], r[9].numbers[1]}, w = {r[9].numbers[2], r[9].numbers[3]};
  near(product(turn, v, 2, 2, 1), {c * v[0] - s * w[0], c * v[1] - s * w[1]});
  near(product(turn, w, 2, 2, 1), {s * v[0] + c * w[0], s * v[1] + c * w[1]});
  r = call("dgeevx", {text("B"), text("V"), text("V"), text("E"), whole(2), real(turn), whole(2), reals(2), reals(2), reals(4), whole(2), reals(4), whole(2),
                      whole(0), whole(0), reals(2), real(0), reals(2), reals(2), reals(16), whole(16), wholes(1), whole(0)});
  near(r[7].numbers, {c, c});
  near(r[17].numbers, {1, 1});  // of a normal matrix the eigenvalues are as well conditioned as can be
  r = call("dgees", {text("V"), text("N"), whole({0}), whole(3), real({1, 4, 2, 2, 5, 0, 3, 6, 1}), whole(3), whole(0), reals(3), reals(3), reals(9), whole(3),
                     reals(30), whole(30), wholes(3), whole(0)});
  const Numbers t = r[4].numbers, z = r[9].numbers;
  near(product(product(z, t, 3, 3, 3), transposed(z, 3, 3), 3, 3, 3), {1, 4, 2, 2, 5, 0, 3, 6, 1}, 1e-12);
  near(product(transposed(z, 3, 3), z, 3, 3, 3), identity3);
  // l^2 - 3 l + 2.
  r = call("dhseqr", {text("E"), text("N"), whole(2), whole(1), whole(2), real({0, 1, -2, 3}), whole(2), reals(2), reals(2), reals(1), whole(2), reals(6), whole(6),
                      whole(0)});
  near({r[7].numbers[0] + r[7].numbers[1], r[7].numbers[0] * r[7].numbers[1]}, {3, 2});
  r = call("dsyev", {text("N"), text("U"), whole(2), real({2, 1, 1, 2}), whole(2), reals(2), reals(10), whole(10), whole(0)});
  near(r[5].numbers, {1, 3});
}

BOOST_AUTO_TEST_CASE(hessenberg_form) {
  const Numbers a = {1, 4, 2, 2, 5, 0, 3, 6, 1};
  const auto r = call("dgehrd", {whole(3), whole(1), whole(3), real(a), whole(3), reals(2), reals(9), whole(9), whole(0)});
  Numbers h = r[3].numbers;
  h[2] = 0;
  const Numbers q = call("dorghr", {whole(3), whole(1), whole(3), r[3], whole(3), r[5], reals(9), whole(9), whole(0)})[3].numbers;
  near(product(transposed(q, 3, 3), q, 3, 3, 3), identity3);
  near(product(product(q, h, 3, 3, 3), transposed(q, 3, 3), 3, 3, 3), a);
  near(call("dormhr", {text("L"), text("N"), whole(3), whole(3), whole(1), whole(3), r[3], whole(3), r[5], real(identity3), whole(3), reals(6), whole(6),
                       whole(0)})[9].numbers,
       q);
}

BOOST_AUTO_TEST_CASE(schur_form) {
  // [1 5; 0 2] with the second eigenvalue first.
  const auto r = call("dtrsen", {text("N"), text("V"), whole({0, 1}), whole(2), real({1, 0, 5, 2}), whole(2), real(identity2), whole(2), reals(2), reals(2), whole(0),
                                 real(0), real(0), reals(2), whole(2), wholes(1), whole(1), whole(0)});
  near(r[8].numbers, {2, 1});
  BOOST_TEST(r[10].numbers[0] == 1);
  near(product(product(r[6].numbers, r[4].numbers, 2, 2, 2), transposed(r[6].numbers, 2, 2), 2, 2, 2), {1, 0, 5, 2});
  // Right eigenvectors of [1 1; 0 2], the largest entry 1.
  const auto e = call("dtrevc", {text("R"), text("B"), wholes(2), whole(2), real({1, 0, 1, 2}), whole(2), real(identity2), whole(2), real(identity2), whole(2),
                                 whole(2), whole(2), reals(6), whole(0)});
  near(e[8].numbers, {1, 0, 1, 1});
  // 2 x + x 3 = 10.
  near(call("dtrsyl", {text("N"), text("N"), whole(1), whole(1), whole(1), real(2), whole(1), real(3), whole(1), real(10), whole(1), real(0), whole(0)})[9].numbers, {2});
}

BOOST_AUTO_TEST_CASE(generalised_eigenvalues) {
  const Operand a = real({2, 0, 0, 9}), b = real({1, 0, 0, 3});
  const auto ratios = [](const Operand& alpha, const Operand& beta) { return Numbers{alpha.numbers[0] / beta.numbers[0], alpha.numbers[1] / beta.numbers[1]}; };
  for (const std::string name : {"dggev", "dgegv"}) {
    const auto r = call(name, {text("V"), text("V"), whole(2), a, whole(2), b, whole(2), reals(2), reals(2), reals(2), reals(4), whole(2), reals(4), whole(2),
                               reals(24), whole(24), whole(0)});
    near(ratios(r[7], r[9]), {2, 3});
  }
  const auto x = call("dggevx", {text("B"), text("V"), text("V"), text("B"), whole(2), a, whole(2), b, whole(2), reals(2), reals(2), reals(2), reals(4), whole(2),
                                 reals(4), whole(2), whole(0), whole(0), reals(2), reals(2), real(0), real(0), reals(2), reals(2), reals(48), whole(48), wholes(8),
                                 wholes(2), whole(0)});
  near(ratios(x[9], x[11]), {2, 3});
  const auto q = call("dhgeqz", {text("E"), text("N"), text("N"), whole(2), whole(1), whole(2), a, whole(2), b, whole(2), reals(2), reals(2), reals(2), reals(1), whole(1),
                                 reals(1), whole(1), reals(6), whole(6), whole(0)});
  near(ratios(q[10], q[12]), {2, 3});
}

BOOST_AUTO_TEST_CASE(functions_return_their_value) {
  const auto norm = [](const std::string& which) {
    return call("dlange", {real(0), text(which), whole(2), whole(2), real({1, 3, -2, 4}), whole(2), reals(2)})[0].numbers[0];
  };
  BOOST_TEST(norm("1") == 6);
  BOOST_TEST(norm("I") == 7);
  BOOST_TEST(norm("inf") == 7);
  BOOST_TEST(norm("M") == 4);
  BOOST_TEST(norm("F") == std::sqrt(30.0), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(call("ddot", {real(0), whole(3), real({1, 2, 3}), whole(1), real({4, 5, 6}), whole(-1)})[0].numbers[0] == 28);
  BOOST_TEST(call("dnrm2", {real(0), whole(2), real({3, 7, 4}), whole(2)})[0].numbers[0] == 5);
  BOOST_TEST(call("idamax", {whole(0), whole(3), real({1, -9, 3}), whole(1)})[0].numbers[0] == 2);
}

BOOST_AUTO_TEST_CASE(blas) {
  near(call("dgemm", {text("N"), text("T"), whole(2), whole(2), whole(1), real(2), real({1, 2}), whole(2), real({3, 4}), whole(2), real(1), real(identity2), whole(2)})[11]
           .numbers,
       {7, 12, 8, 17});
  near(call("dgemv", {text("T"), whole(2), whole(1), real(1), real({1, 2}), whole(2), real({3, 0, 4}), whole(2), real(-1), real(5), whole(1)})[9].numbers, {6});
  // [2 1; 0 4] x = 3 (4, 8); x [2 1; 0 4] = (2, 5).
  const Operand a = real({2, 0, 1, 4});
  near(call("dtrsm", {text("L"), text("U"), text("N"), text("N"), whole(2), whole(1), real(3), a, whole(2), real({4, 8}), whole(2)})[9].numbers, {3, 6});
  near(call("dtrsm", {text("R"), text("U"), text("N"), text("N"), whole(1), whole(2), real(1), a, whole(2), real({2, 5}), whole(1)})[9].numbers, {1, 1});
}

BOOST_AUTO_TEST_CASE(nothing_at_all) {
  const auto r = call("dgesv", {whole(0), whole(1), reals(0), whole(1), wholes(0), reals(0), whole(1), whole(-7)});
  BOOST_TEST(r[7].numbers[0] == 0);
  // No rows and three columns.
  BOOST_TEST(call("dgetrf", {whole(0), whole(3), reals(0), whole(1), wholes(0), whole(-7)})[5].numbers[0] == 0);
  BOOST_TEST(call("dlange", {real(-1), text("F"), whole(2e9), whole(0), reals(0), whole(2e9), reals(0)})[0].numbers[0] == 0);
}

BOOST_AUTO_TEST_CASE(what_is_no_result_stays) {
  Operand a = real({2, 1, 1, 3}), info = whole(-7);
  a.result = info.result = false;
  const auto r = call("dgesv", {whole(2), whole(1), a, whole(2), wholes(2), real({3, 5}), whole(2), info});
  BOOST_TEST((r[2].numbers == Numbers{2, 1, 1, 3}));
  BOOST_TEST(r[7].numbers[0] == -7);
  near(r[5].numbers, {0.8, 1.4});
}

BOOST_AUTO_TEST_CASE(operands_that_do_not_fit) {
  const std::vector<Operand> good = {whole(2), whole(1), real({2, 1, 1, 3}), whole(2), wholes(2), real({3, 5}), whole(2), whole(0)};
  const auto with = [&](std::size_t i, const Operand& operand) {
    std::vector<Operand> operands = good;
    operands[i] = operand;
    return refusal("dgesv", operands);
  };
  BOOST_TEST(refusal("dgesv", good) == "no error");
  BOOST_TEST(refusal("dgesw", good) == "dgesw is not known as a routine of LAPACK or BLAS");
  BOOST_TEST(refusal("dgesv", {good.begin(), good.end() - 1}) == "dgesv has 8 operands, not 7: n, nrhs, A, lda, ipiv, B, ldb, info");
  BOOST_TEST(with(2, reals(3)) == "operand 3 (A) of dgesv is an array of 3, where the routine takes one of 4: [n, n, lda] with n = 2, lda = 2");
  BOOST_TEST(with(4, wholes(1)) == "operand 5 (ipiv) of dgesv is an array of 1, where the routine takes one of 2: [n] with n = 2");
  BOOST_TEST(with(3, whole(1)) == "operand 4 (lda) of dgesv is 1, which is less than the 2 rows of its array A");
  BOOST_TEST(with(7, wholes(0)) == "operand 8 (info) of dgesv is an empty array, where the routine takes a number");
  BOOST_TEST(with(0, whole(1.5)) == "operand 1 (n) of dgesv is 1.5, which is no whole number of 32 bits");
  BOOST_TEST(with(0, whole(3e9)) == "operand 1 (n) of dgesv is 3e+09, which is no whole number of 32 bits");
  BOOST_TEST(with(0, whole(std::nan(""))) == "operand 1 (n) of dgesv is nan, which is no whole number of 32 bits");
  BOOST_TEST(with(0, real(2)) == "operand 1 (n) of dgesv is an Integer, not a Real");
  BOOST_TEST(with(2, whole({2, 1, 1, 3})) == "operand 3 (A) of dgesv is a Real, not an Integer or Boolean");
  BOOST_TEST(with(0, text("N")) == "operand 1 (n) of dgesv is an Integer, not a String");
  BOOST_TEST(with(1, whole(2)) == "operand 6 (B) of dgesv is an array of 2, where the routine takes one of 4: [n, nrhs, ldb] with n = 2, nrhs = 2, ldb = 2");
  // The places of rows that dgetrf leaves, in dgetrs.
  BOOST_TEST(refusal("dgetrs", {text("N"), whole(2), whole(1), reals(4), whole(2), whole({1, 1000000}), reals(2), whole(2), whole(0)}) ==
             "operand 6 (ipiv) of dgetrs holds 1000000, where an index from 1 to 2 is wanted");
  BOOST_TEST(refusal("dgetrs", {whole(1), whole(2), whole(1), reals(4), whole(2), whole({1, 1}), reals(2), whole(2), whole(0)}) ==
             "operand 1 (trans) of dgetrs is a String, not a number");
  BOOST_TEST(refusal("dlange", {real(0), text("X"), whole(1), whole(1), real(1), whole(1), reals(1)}) ==
             "operand 1 (norm) of dlange is \"X\", where it can be \"M\", \"1\", \"O\", \"I\", \"F\", \"E\"");
  BOOST_TEST(refusal("dlange", {text("1"), whole(1), whole(1), real(1), whole(1), reals(1)}) == "dlange is a function: its call has to be given to a variable");
  BOOST_TEST(refusal("idamax", {real(0), whole(3), real({1, -9, 3}), whole(1)}) == "what idamax returns is an Integer, not a Real");
  BOOST_TEST(refusal("dcopy", {whole(2), real({1, 2}), whole(1), reals(2), whole(-3)}) ==
             "operand 4 (y) of dcopy is an array of 2, where the routine takes one of 4: [strided(n, incy)] with n = 2, incy = -3");
  BOOST_TEST(refusal("dgees", {text("N"), text("S"), whole(0), whole(1), real(1), whole(1), whole(0), real(0), real(0), real(0), whole(1), reals(9), whole(9), wholes(1),
                               whole(0)}) == "operand 2 (sort) of dgees is \"S\", where it can be \"N\"");
}

BOOST_AUTO_TEST_CASE(what_a_routine_refuses_does_not_end_the_process) {
  const auto solve = [](double n, double nrhs) {
    return refusal("dgesv", {whole(n), whole(nrhs), reals(4), whole(2), wholes(2), reals(2), whole(2), whole(0)});
  };
  BOOST_TEST(solve(-1, 1) == "operand 1 (n) of dgesv is -1, which the routine refuses");
  BOOST_TEST(solve(2, -1) == "operand 2 (nrhs) of dgesv is -1, which the routine refuses");
  BOOST_TEST(solve(2, 1) == "no error");  // nothing is left of the one before
  const auto eigen = [](const std::string& job, Numbers a, double work) {
    return refusal("dgeev", {text(job), text("N"), whole(2), real(std::move(a)), whole(2), reals(2), reals(2), reals(4), whole(2), reals(4), whole(2), reals(24), whole(work),
                             whole(0)});
  };
  BOOST_TEST(eigen("X", {1, 0, 0, 1}, 24) == "operand 1 (jobvl) of dgeev is \"X\", which the routine refuses");
  BOOST_TEST(eigen("", {1, 0, 0, 1}, 24) == "operand 1 (jobvl) of dgeev is \"\", which the routine refuses");
  BOOST_TEST(eigen("N", {1, 0, 0, 1}, 1) == "operand 13 (lwork) of dgeev is 1, which the routine refuses");
  BOOST_TEST(eigen("N", {1, std::nan(""), 1, 1}, 24) == "operand 4 (A) of dgeev holds nan, with which dgeev finds no end");
  // BLAS.
  BOOST_TEST(refusal("dtrsm", {text("L"), text("U"), text("N"), text("N"), whole(-1), whole(1), real(3), reals(4), whole(2), reals(2), whole(2)}) ==
             "operand 5 (m) of dtrsm is -1, which the routine refuses");
  BOOST_TEST(refusal("dgemv", {text("N"), whole(1), whole(1), real(1), real(1), whole(1), real(1), whole(0), real(0), real(1), whole(1)}) ==
             "operand 8 (incx) of dgemv is 0, which the routine refuses");
}

BOOST_AUTO_TEST_CASE(every_declaration_stands) {
  const auto all = mosim::native::fortran_routines();
  for (const auto& routine : all) {
    BOOST_TEST(mosim::native::knows_fortran(routine.name));
    BOOST_TEST(mosim::native::lapack_routine(routine.name) != nullptr);
    const Numbers twos(routine.parameters.size(), 2.0);
    for (const auto& parameter : routine.parameters) {
      for (const auto size : parameter.sizes) BOOST_TEST(mosim::native::fortran_size(size, routine, twos) >= 0, routine.name << ": " << size);
      if (!parameter.limit.empty()) BOOST_TEST(mosim::native::fortran_size(parameter.limit, routine, twos) >= 0);
    }
  }
  BOOST_TEST(!mosim::native::knows_fortran(""));
  BOOST_TEST(!mosim::native::knows_fortran("xerbla"));
}

// Whatever the scalars are, with arrays just as long as the declarations ask for: a call returns or is an Error.
BOOST_AUTO_TEST_CASE(any_scalars_do_no_harm) {
  using Kind = mosim::native::FortranParameter::Kind;
  unsigned state = 1;
  const auto draw = [&](unsigned count) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % count;
  };
  std::size_t returned = 0, refused = 0;
  for (const auto& routine : mosim::native::fortran_routines()) {
    const std::size_t before = returned;
    for (int round = 0; round < 600; ++round) {
      std::vector<Operand> operands;
      Numbers values;
      for (const auto& parameter : routine.parameters) {
        Operand operand{{0.0}, {}, parameter.kind == Kind::real};
        if (parameter.kind == Kind::character) {
          const std::string_view letters = parameter.letters.empty() ? "NNNNVVVVBBEEASLRUTIOFX" : parameter.letters;
          operand = text(std::string(1, letters[draw(static_cast<unsigned>(letters.size()))]));
        } else if (parameter.kind == Kind::integer && parameter.sizes.empty()) {
          const bool leading = parameter.name.starts_with("ld"), length = parameter.name.ends_with("work");
          operand.numbers[0] = length ? 200 - 10 * draw(21) : leading ? 3 + draw(2) : draw(20) == 0 ? -1.0 : draw(4);
        } else if (parameter.kind == Kind::real) {
          operand.numbers[0] = draw(10) == 0 ? std::nan("") : draw(7) - 3.0;
        }
        values.push_back(operand.text.empty() ? operand.numbers[0] : operand.text[0]);
        operands.push_back(std::move(operand));
      }
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto& sizes = routine.parameters[i].sizes;
        if (sizes.empty()) continue;
        const auto size = [&](std::size_t k) { return mosim::native::fortran_size(sizes[k], routine, values); };
        double count = size(0);
        if (sizes.size() == 3) count = size(0) < 1 || size(1) < 1 ? 0 : std::max(0.0, size(2)) * (size(1) - 1) + size(0);
        operands[i].numbers.assign(static_cast<std::size_t>(std::max(0.0, count)), 0);
        const bool broken = draw(20) == 0;
        for (double& value : operands[i].numbers)
          value = routine.parameters[i].kind != Kind::real ? draw(3) : broken && draw(3) == 0 ? std::numeric_limits<double>::infinity() * (draw(2) - 0.5) : draw(9) - 4.0;
      }
      if (routine.result != mosim::native::FortranRoutine::Result::none)
        operands.insert(operands.begin(), Operand{{0.0}, {}, routine.result == mosim::native::FortranRoutine::Result::real});
      ++(refusal(routine.name, operands) == "no error" ? returned : refused);
    }
    BOOST_TEST(returned > before, routine.name << " was never carried out");
  }
  BOOST_TEST(refused > 1000);
}

BOOST_AUTO_TEST_SUITE_END()
