// E6: a condition that is true when the run begins does not become true, and one that never does is told of.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;
using namespace mosim::runtime;
using boost::test_tools::tolerance;

namespace {

// x falls from 1 by 1 a second, up to the stop at 2 s; n counts what fires.
Run counted(const std::string& when) {
  return run("model M Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = -1; when " + when +
                 " then n = pre(n) + 1; end when; end M;",
             2);
}

std::vector<TrueFromStart> told(const std::string& when) { return counted(when).result.true_from_start; }

}  // namespace

BOOST_AUTO_TEST_SUITE(true_from_start)

BOOST_AUTO_TEST_CASE(what_stays_true_never_becomes_true) {
  for (const char* when : {"x < 5", "time >= 0", "not x > 5", "true", "time < 5 and x < 2"}) {
    const Run r = counted(when);
    BOOST_REQUIRE(r.ended());
    BOOST_TEST(r.at("n", 2) == 0, when);
    BOOST_REQUIRE_MESSAGE(r.result.true_from_start.size() == 1u, when);
    BOOST_TEST(std::isinf(r.result.true_from_start[0].until), when);
  }
}

BOOST_AUTO_TEST_CASE(what_becomes_false_and_stays_so_is_told_with_its_time) {
  const auto list = told("x > 0.5");
  BOOST_REQUIRE(list.size() == 1u);
  BOOST_TEST(list[0].until == 0.5, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_fires_is_not_told_of) {
  for (const char* when : {"x < 0.5", "time > 0", "abs(x) > 0.5", "x > 5", "sample(0, 0.3)", "{initial(), x < 5}", "initial()"})
    BOOST_TEST(told(when).empty(), when);
  BOOST_TEST(counted("abs(x) > 0.5").at("n", 2) == 1);   // again beyond -0.5
}

BOOST_AUTO_TEST_CASE(elements_of_a_vector_are_told_of_one_by_one) {
  const auto list = told("{x < 0.5, x < 5, time > 1}");
  BOOST_REQUIRE(list.size() == 1u);
  BOOST_TEST(list[0].element == 1u);
}

// b is true after initialisation; in the first round of the event at 1 it becomes false, in the second true again.
BOOST_AUTO_TEST_CASE(a_condition_that_becomes_true_in_a_round_alone_counts) {
  const Run r = run("model M Boolean b(start = true, fixed = true), c(start = false, fixed = true); Integer n(start = 0, fixed = true); equation "
                    "when {time > 1, pre(c)} then b = pre(c); c = not pre(c); end when; when b then n = pre(n) + 1; end when; end M;",
                    2);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("n", 2) == 1);
  BOOST_TEST(r.result.true_from_start.empty());
}

BOOST_AUTO_TEST_SUITE_END()
