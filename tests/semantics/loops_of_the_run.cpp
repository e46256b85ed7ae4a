// Loops and subscripts of a model's algorithms that the run alone knows (MLS 11.2.2, 10.5): expected values are sums in closed form.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(loops_of_the_run)

BOOST_AUTO_TEST_CASE(in_a_when_statement) {
  // After k ticks n = k: s = 1 + 2 + ... + n, up to 8, where the loop is left; a[i] counts the ticks with n >= i.
  const Run r = run("model M discrete Integer n(start = 0, fixed = true); discrete Real s(start = 0, fixed = true), a[5](each start = 0, each fixed = true); algorithm "
                    "when sample(0.1, 0.1) then n := pre(n) + 1; s := 0; for i in 1:n loop s := s + i; if i > 7 then break; end if; end for; "
                    "for i in 1:min(n, 5) loop a[i] := a[i] + 1; end for; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (int k = 1; k <= 10; ++k) {
    const int last = std::min(k, 8);
    BOOST_TEST(r.at("s", 0.1*k + 0.01) == last*(last + 1)/2);
    for (int i = 1; i <= 5; ++i) BOOST_TEST(r.at("a[" + std::to_string(i) + "]", 0.1*k + 0.01) == std::max(0, k - i + 1));
  }
}

BOOST_AUTO_TEST_CASE(between_events) {
  // y = t + t^2 + ... + t^n with n = 2 before 0.5 and 3 after it; its integral from 0 to 1 is 1/2 + 1/3 + (1 - 1/16)/4.
  const Run r = run("model M Integer n = if time < 0.5 then 2 else 3; Real y, x(start = 0, fixed = true); algorithm y := 0; for i in 1:n loop y := y + time^i; end for; "
                    "equation der(x) = y; end M;", 1, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - (0.5 + 1.0/3 + 15.0/64)) < 1e-7);
}

BOOST_AUTO_TEST_CASE(with_a_state_in_it) {
  // der(x) = -(1 + 2 + 3) x, through the derivative of the code.
  const Run r = run("model M Integer n = integer(3 + 0.5*time); Real x(start = 1, fixed = true), s; algorithm s := 0; for i in 1:n loop s := s - i*x; end for; equation der(x) = s; end M;", 1, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - std::exp(-6)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(one_in_another) {
  // The number of pairs i <= j <= n is n(n + 1)/2.
  const Run r = run("model M discrete Integer n(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true); algorithm when sample(0.25, 0.25) then n := n + 1; c := 0; d := 0; "
                    "for i in 1:n loop for j in i:n loop c := c + 1; end for; end for; for i in 1:n, j in 1:3 loop d := d + 1; end for; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (int k = 1; k < 4; ++k) {
    BOOST_TEST(r.at("c", 0.25*k + 0.01) == k*(k + 1)/2);
    BOOST_TEST(r.at("d", 0.25*k + 0.01) == 3*k);
  }
}

BOOST_AUTO_TEST_CASE(at_initialisation) {
  const Run r = run("model M parameter Integer n(fixed = false); Real x(start = 0); initial algorithm n := 4; x := 0; for i in 1:n loop x := x + i^2; end for; equation der(x) = 0; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("x") == 30);
}

BOOST_AUTO_TEST_CASE(rounds_grow_and_code_does_not) {
  const auto size = [](int n) {
    const Run r = run("model M discrete Integer n(start = 0, fixed = true), s(start = 0, fixed = true); algorithm when time > 0.5 then n := " + std::to_string(n) +
                      "*integer(1 + time); s := 0; for i in 1:n loop s := s + 1; end for; end when; end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.final("s") == n);
    return r.program.code.size();
  };
  BOOST_TEST(size(10) == size(100000));
}

BOOST_AUTO_TEST_CASE(rows_and_columns_on_left_sides) {
  // A memory of 3 words: tick k writes {k, -k} to row mod(k, 3) + 1, and k to the diagonal of another.
  const Run r = run("model M discrete Integer k(start = 0, fixed = true), j; discrete Real m[3, 2](each start = 0, each fixed = true), d[2, 2](each start = 0, each fixed = true); "
                    "algorithm when sample(0.1, 0.1) then k := k + 1; j := mod(k, 3) + 1; m[j, :] := {k, -k}; d[mod(k, 2) + 1, mod(k, 2) + 1] := k; end when; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  double m[3] = {}, d[2] = {};
  for (int k = 1; k <= 9; ++k) {
    m[k % 3] = k;
    d[k % 2] = k;
    for (int i = 0; i < 3; ++i) {
      BOOST_TEST(r.at("m[" + std::to_string(i + 1) + ",1]", 0.1*k + 0.01) == m[i]);
      BOOST_TEST(r.at("m[" + std::to_string(i + 1) + ",2]", 0.1*k + 0.01) == -m[i]);
    }
    for (int i = 0; i < 2; ++i) BOOST_TEST(r.at("d[" + std::to_string(i + 1) + "," + std::to_string(i + 1) + "]", 0.1*k + 0.01) == d[i]);
    BOOST_TEST(r.at("d[1,2]", 0.1*k + 0.01) == 0);
  }
}

BOOST_AUTO_TEST_CASE(outside_of_the_array) {
  const Run r = run("model M discrete Integer k(start = 0, fixed = true); discrete Real m[3, 2](each start = 0, each fixed = true); "
                    "algorithm when sample(0.1, 0.1) then k := k + 1; m[k, 2] := k; end when; end M;");
  BOOST_TEST(r.compiled);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("4") != std::string::npos, r.message());
  BOOST_TEST(std::abs(r.result.time - 0.4) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
