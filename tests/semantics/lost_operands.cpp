// What a buffered value compares may lose its value between events: an error there, as it is at an event (E12), unless nothing needs it (E14).

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const double lost_at = std::log(2.5);   // x = exp(-t) arrives at 0.4

std::string falling(const std::string& rest, std::size_t others = 0) {
  return fmt::format("model M Real x(start = 1, fixed = true){} {} end M;", others > 0 ? fmt::format(", z[{}](each start = 1, each fixed = true);", others) : ";",
                     (rest.find("equation") == std::string::npos ? rest + " equation" : rest) + " der(x) = -x; " + (others > 0 ? "der(z) = -z;" : ""));
}

void fails_there(const std::string& rest, const std::string& words, double tolerance = 1e-6, std::size_t others = 0) {
  const Run r = run(falling(rest, others), 2, tolerance);
  BOOST_TEST_CONTEXT(rest) {
    BOOST_REQUIRE(r.compiled);
    BOOST_TEST((r.result.ending == runtime::Ending::failed));
    BOOST_TEST(r.message().find(words) != std::string::npos, r.message());
    BOOST_TEST(std::abs(r.result.time - lost_at) < 10 * tolerance);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lost_operands)

BOOST_AUTO_TEST_CASE(E12_where_a_buffered_value_has_no_operands) {
  for (const std::size_t others : {0u, 10u, 100u})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) fails_there("Boolean p = x < log(x - 0.4);", "logarithm of -", tolerance, others);
  fails_there("Boolean p = 3 < sqrt(x - 0.4);", "square root of a negative number", 1e-6);
  fails_there("Integer i = integer(10*sqrt(x - 0.4));", "square root of a negative number");
  fails_there("Real y = floor(10*sqrt(x - 0.4));", "square root of a negative number");
  fails_there("Real y = mod(sqrt(x - 0.4), 0.1);", "square root of a negative number");
  fails_there("discrete Real n(start = 0, fixed = true); equation when acos(1.4 - x) > 3 or asin(1.4 - x) > 1.6 then n = 1; end when;", "arcsine");
  fails_there("Real y; equation y = if (x - 0.4)^0.5 > 2 then 1 else 0;", "to a power that is not whole");
  fails_there("function f input Real u; output Real y; algorithm y := 0; for i in 1:3 loop y := y + sqrt(u); end for; end f; Boolean p = f(x - 0.4) > 9;", "square root of a negative number");
  // What crosses shortly before is an event all the same.
  const Run r = run(falling("Boolean p = log(x - 0.4) < -9;"), 2);
  BOOST_TEST((r.result.ending == runtime::Ending::failed));
  BOOST_TEST(r.events() == 1u);
}

BOOST_AUTO_TEST_CASE(E14_what_nothing_needs_may_be_lost) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    const auto good = [&](const std::string& rest, std::size_t events) {
      const Run r = run(falling(rest), 2, tolerance);
      BOOST_TEST_CONTEXT(rest) {
        BOOST_TEST(r.ended(), r.diagnostics + r.message());
        BOOST_TEST(r.events() == events);
        BOOST_TEST(r.final("p") == 0);
      }
    };
    // True from log(0.4 + exp(-3)) = -0.799 on; the guard ends it.
    good("Boolean p = x > 0.4 and log(x - 0.4) < -3;", 2);
    good("Boolean p = x > 0.5 and log(x - 0.4) < -2.4;", 1);
    good("Boolean p; equation p = if x > 0.4 then log(x - 0.4) < -3 else false;", 2);
    good("Boolean p = not (x <= 0.4 or log(x - 0.4) > -3);", 2);
    // A constant of the run: nothing needs the second operand from the start.
    good("parameter Boolean on = false; Boolean p = on and sqrt(x - 0.4) < 0.1;", 0);
  }
}

// The guard has just become true when it is left again, by less than the hysteresis: its event comes first, and no row has more.
BOOST_AUTO_TEST_CASE(E4_within_a_hysteresis) {
  // y is thought of in millions: it comes 2e-5 beyond the guard, which changes back 1e-4 below it.
  const Run r = run("model M Real x(start = 0.4 - 1e-3, fixed = true), v(start = sqrt(2*1.02e-3), fixed = true), y(nominal = 1e6) = x; "
                    "Boolean p = y > 0.4 and sqrt(x - 0.4) > -1; equation der(x) = v; der(v) = -1; end M;", 0.2);
  BOOST_TEST(r.ended(), r.message());
  const double apex = std::sqrt(2*1.02e-3);
  const std::vector<double> times = r.event_times();
  BOOST_REQUIRE(times.size() == 2u);
  BOOST_TEST(std::abs(times[0] - (apex - std::sqrt(2*2e-5))) < 1e-4);
  BOOST_TEST(std::abs(times[1] - (apex + std::sqrt(2*1.2e-4))) < 1e-4);
  BOOST_TEST(r.final("p") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
