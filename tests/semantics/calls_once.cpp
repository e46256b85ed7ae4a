// A function with many results that another calls in one statement is called once there, not once per result: by counts of
// instructions, over the number of results.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <string>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

std::size_t calls(const runtime::Program& p) {
  return std::size_t(std::count_if(p.code.begin(), p.code.end(), [](const runtime::Instruction& i) { return i.op == runtime::Opcode::call; }));
}

// The sum of k*x^k over k = 1...n, by a record of the powers, as an unknown's equation: it is differentiated as well. Loops as
// long as the argument says keep the functions from being carried out while compiling.
Run powers(int n) {
  std::string fields, values, sum;
  for (int k = 1; k <= n; ++k) {
    const std::string name = "p" + std::to_string(k);
    fields += "Real " + name + "; ";
    values += "r." + name + " := x^" + std::to_string(k) + "; ";
    sum += (k > 1 ? " + " : "") + std::to_string(k) + "*r." + name;
  }
  return run("record R " + fields + "end R; "
             "function all input Real x; output R r; protected Integer k = 0; algorithm while k < x loop k := k + 1; end while; " + values + "end all; "
             "function s input Real x; output Real y; protected R r; Integer k = 0; algorithm while k < x loop k := k + 1; end while; r := all(x); y := " + sum + "; end s; "
             "model M Real x(start = 1), z(start = 0, fixed = true); equation s(x) = 1 + time; der(z) = x; end M;", 1, 1e-8);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calls_once)

BOOST_AUTO_TEST_CASE(whatever_the_number_of_results) {
  const Run few = powers(2), many = powers(12);
  BOOST_REQUIRE_MESSAGE(few.ended(), few.diagnostics + few.message());
  BOOST_REQUIRE_MESSAGE(many.ended(), many.diagnostics + many.message());
  BOOST_TEST(calls(few.program) > 0u);
  BOOST_TEST(calls(many.program) == calls(few.program));
  // x + 2x^2 = 1 + t
  BOOST_TEST(std::abs(few.final("x") - (std::sqrt(17.0) - 1) / 4) < 1e-7);
}

// k*x of the ticks' instants, k = 1...n, in a when-clause, with start values that stand between them in the initial system.
Run ticked(int n, bool algorithm) {
  std::string outputs, values, targets, declared;
  for (int k = 1; k <= n; ++k) {
    const std::string number = std::to_string(k);
    outputs += "output Real y" + number + "; ";
    values += "y" + number + " := " + number + "*x; ";
    targets += (k > 1 ? ", v" : "v") + number;
    declared += "discrete Real v" + number + "(start = " + number + ", fixed = true); ";
  }
  return run("function f input Real x; " + outputs + "protected Integer k = 0; algorithm while k < x loop k := k + 1; end while; " + values + "end f; "
             "model M " + declared + (algorithm ? "algorithm when sample(0.25, 0.25) then if time < 0.9 then (" + targets + ") := f(time); end if; end when; end M;"
                                                : "equation when sample(0.25, 0.25) then (" + targets + ") = f(time); end when; end M;"), 1, 1e-6, 4);
}

BOOST_AUTO_TEST_CASE(in_a_when_clause) {
  for (const bool algorithm : {false, true}) {
    const Run few = ticked(2, algorithm), many = ticked(12, algorithm);
    BOOST_REQUIRE_MESSAGE(few.ended(), few.diagnostics + few.message());
    BOOST_REQUIRE_MESSAGE(many.ended(), many.diagnostics + many.message());
    BOOST_TEST(calls(few.program) > 0u);
    BOOST_TEST(calls(many.program) == calls(few.program), algorithm);
    for (int k = 1; k <= 12; ++k) {
      const std::string v = "v" + std::to_string(k);
      BOOST_TEST(many.initial(v) == k);
      BOOST_TEST(many.at(v, 0.5) == 0.5 * k);
      BOOST_TEST(many.final(v) == (algorithm ? 0.75 : 1.0) * k);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
