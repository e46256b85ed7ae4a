// A step that goes beyond an event may find nothing there, or another solution: event and rows are those of the motion before it.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(rows_of_a_step)

// y = sqrt(e - time) down to 0.005, where an event makes it -1. A step over the event ends where that root is gone, and -5 is the only
// solution of the equation before the event.
BOOST_AUTO_TEST_CASE(another_solution_beyond_the_event) {
  for (const double end : {0.641, 0.643, 0.645, 0.647}) {
    const Run r = run("model M constant Real e = " + std::to_string(end) + "; Real y(start = 0.8); equation "
                      "0 = if y <= 0.005 then y + 1 else (y^2 - (e - time))*(y + 5); end M;", 1, 1e-6, 20000);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    double worst = 0;
    for (int k = 0; k < 20000 * (end - 3e-5); ++k) {
      const double t = k / 20000.0;
      worst = std::max(worst, std::abs(r.at("y", t) - std::sqrt(end - t)));
    }
    BOOST_TEST(worst < 1e-6);
    BOOST_TEST(r.final("y") == -1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
