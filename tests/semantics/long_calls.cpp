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
