// One function in systems of 1, 3 and 6 unknowns that lie in one another: what a call leaves in the function's variables is nobody
// else's, and what a system clears behind it does not grow with the function.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runtime/block_system.hpp"
#include "runtime/machine.hpp"
#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

// f(x) = x^3 + x, by way of n variables of its own and a loop that keeps it from being carried out while compiling.
std::string cubic(int n) {
  std::string locals, steps;
  for (int k = 1; k <= n; ++k) {
    const std::string l = "s" + std::to_string(k);
    locals += "Real " + l + "; ";
    steps += l + " := " + (k == 1 ? "x^3" : "s" + std::to_string(k - 1)) + "; ";
  }
  return "function f input Real x; output Real y; protected " + locals + "Integer k = 0; algorithm while k < x loop k := k + 1; end while; " + steps + "y := s" + std::to_string(n) + " + x; end f; ";
}

std::size_t most_written(int n) {
  const Run r = run(cubic(n) + "model M Real x(start = 1); equation f(x) = 10 + time; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  runtime::Machine m = runtime::make_machine(r.program);
  std::size_t most = 0;
  for (std::size_t b = 0; b < r.program.blocks.size(); ++b) most = std::max(most, runtime::state_of(m, static_cast<runtime::Index>(b)).written.size());
  BOOST_TEST(r.program.blocks.size() > 0u);
  return most;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calls_in_systems)

BOOST_AUTO_TEST_CASE(of_several_widths) {
  // f(2) = 10; x solves f(x) = 10 + 20t, which is 3 at t = 1. The others are tied in rings, whose only solutions are these.
  const Run r = run(cubic(3) + "model M Real x(start = 2), a[3](each start = 2), b[6](each start = 2); equation f(x) = 10 + 20*time; "
                    "for i in 1:3 loop f(a[i]) + a[mod(i, 3) + 1] = 12 + 21*time*0 + 0*x; end for; "
                    "for i in 1:6 loop f(b[i]) - b[mod(i, 6) + 1] = f(x) - x; end for; end M;", 1, 1e-9, 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double x = r.final("x");
  BOOST_TEST(std::abs(x - 3) < 0.2);
  BOOST_TEST(std::abs(x * x * x + x - 30) < 1e-7);
  for (int i = 1; i <= 3; ++i) BOOST_TEST(std::abs(r.final("a[" + std::to_string(i) + "]") - 2) < 1e-8);
  for (int i = 1; i <= 6; ++i) BOOST_TEST(std::abs(r.final("b[" + std::to_string(i) + "]") - x) < 1e-7);
}

BOOST_AUTO_TEST_CASE(whatever_the_size_of_the_function) { BOOST_TEST(most_written(100) == most_written(5)); }

BOOST_AUTO_TEST_SUITE_END()
