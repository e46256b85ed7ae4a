// Calls that are too much to be carried out while compiling, though all of their arguments are known, or that are so many that they are not
// inlined: they are code, and the run finds their values (MLS 12).

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fmt/format.h>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(long_calls)

namespace {

const std::string fib = "function fib input Integer n; output Integer y; algorithm y := if n < 2 then n else fib(n - 1) + fib(n - 2); end fib; ";

}  // namespace

BOOST_AUTO_TEST_CASE(with_known_arguments) {
  // 242785 calls; 2 * 250049 below.
  const Run r = run(fib + "model M parameter Integer p = fib(25); Integer y = fib(25); Real x(start = fib(10), fixed = true); equation der(x) = p; end M;", 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("y") == 75025);
  BOOST_TEST(r.initial("x") == 55);
  BOOST_TEST(r.final("x") == 55 + 75025.0, boost::test_tools::tolerance(1e-9));
}

// As code they are no value that sizes can have, and that is told with the function that keeps them from it.
BOOST_AUTO_TEST_CASE(where_a_size_is_asked_for) {
  const std::string said = complaints(fib + "model M parameter Integer n = div(fib(25), 25000); Real x[n]; equation x = {time, time, time}; end M;");
  BOOST_TEST(said.find("an array's size must be known before the run") != std::string::npos, said);
  BOOST_TEST(said.find("fib takes too many steps here to be carried out before the run") != std::string::npos, said);
  BOOST_TEST(said.find("too large") == std::string::npos, said);
}

// A second call makes no expressions that the first one did not, so that only its rounds tell that it is long.
BOOST_AUTO_TEST_CASE(again) {
  const Run r = run("function f input Integer n; output Integer k; algorithm k := 0; for i in 1:n loop k := mod(k + 1, 7); end for; end f; "
                    "model M parameter Integer a = f(2000000), b = f(2000000), c = f(2000001); Real x = a + 10*b + 100*c; end M;", 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("x") == 322);   // 2000000 = 7*285714 + 2
}

// A function that a long call goes through is not long itself: its value can still be a size.
BOOST_AUTO_TEST_CASE(do_not_make_long_what_they_call) {
  const Run r = run("function g input Integer n; output Integer k; algorithm k := 0; for i in 1:n loop k := mod(k + i, 3); end for; k := k + 2; end g; "
                    "function f input Integer n; output Integer s; algorithm s := 0; for i in 1:n loop s := s + g(500); end for; end f; "
                    "model M parameter Integer p = f(10000); Real x[g(500)]; equation for i in 1:size(x, 1) loop x[i] = p + i; end for; end M;", 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("x[2]") == 20002);   // 500*501/2 is a multiple of 3
}

// A constant of a package that a short call asks for first has all the room that there is, not that call's.
BOOST_AUTO_TEST_CASE(do_not_count_constants) {
  const Run r = run("package P function table output Real t[20000]; algorithm for i in 1:20000 loop t[i] := sin(i); end for; end table; "
                    "constant Real c[20000] = table(); function h input Integer k; output Real y; algorithm y := c[k]; end h; end P; "
                    "function f input Real u; output Real y; protected Real k = 1; algorithm while k < u loop k := k*2; end while; y := k + P.h(3); end f; "
                    "model M Real x = f(1000 + time); end M;", 1, 1e-6, 2);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("x") == 1024 + std::sin(3.0), boost::test_tools::tolerance(1e-12));
}

// Of f applied to an array the code grows by a call for each element, not by a copy of f.
BOOST_AUTO_TEST_CASE(element_by_element) {
  std::vector<std::size_t> lengths;
  for (const int n : {10, 500, 1000}) {
    const Run r = run(fmt::format(
        "function f input Real u; output Real y; protected Real c[60] = {{sin(k) for k in 1:60}}; "
        "algorithm y := 0; for k in 1:60 loop y := y*u/k + c[k]; end for; end f; "
        "model M parameter Integer n = {}; Real u[n] = {{time*i/n for i in 1:n}}; Real y[n] = f(u); Real z = y[n]; end M;", n), 1, 1e-6, 2);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    double expected = 0;
    for (int k = 1; k <= 60; ++k) expected = expected / k + std::sin(k);
    BOOST_TEST(r.final("z") == expected, boost::test_tools::tolerance(1e-12));
    lengths.push_back(r.program.code.size());
  }
  BOOST_TEST(lengths[1] < 500u * 40, lengths[1]);   // inlined one is 180 instructions, in each of two sections
  BOOST_TEST(double(lengths[2]) / double(lengths[1]) < 2.1, lengths[1] << ", " << lengths[2]);
}

BOOST_AUTO_TEST_SUITE_END()
