// Methods that cost so much from event to event: which one is in use, and what the choice itself costs.

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

#include "runtime/method_choice.hpp"

using mosim::runtime::MethodChoice;

namespace {

struct Spent {
  double cost = 0;
  std::vector<int> intervals;   // by method
  std::size_t last = 0;
};

/// cost(method, interval): of that interval, of which a method goes through a tenth at a time.
Spent run(std::size_t methods, int intervals, const std::function<double(std::size_t, int)>& cost) {
  MethodChoice choice(methods);
  Spent course{0, std::vector<int>(methods, 0), 0};
  for (int k = 0; k < intervals; ++k) {
    double spent = 0, done = 0;
    std::size_t method = choice.current();
    while (done < 0.999) {
      if (choice.is_hopeless(spent)) {
        choice.give_up();
        course.cost += spent;
        spent = 0;
        method = choice.current();
      }
      spent += cost(method, k) / 10;
      done += 0.1;
    }
    course.cost += spent;
    ++course.intervals[method];
    choice.interval_over(spent);
  }
  course.last = choice.current();
  return course;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(method_choice)

BOOST_AUTO_TEST_CASE(the_cheapest_is_found) {
  for (const std::size_t best : {0, 1, 2}) {
    const Spent c = run(3, 1000, [&](std::size_t method, int) { return method == best ? 30.0 : 100.0; });
    // Trials of four intervals, at most two before each gap of 8, 32, 128, 512: of two candidates, before and after the change.
    BOOST_TEST(c.intervals[best] >= 1000 - 2 * (8 + 4 * 4) - 4, best << ": " << c.intervals[best]);
    BOOST_TEST(c.cost < 1.15 * 30 * 1000, best << ": " << c.cost);
  }
}

// A method that is unfit, as an explicit one in a stiff motion, is left within its first interval, and never costs a multiple.
BOOST_AUTO_TEST_CASE(what_is_hopeless_is_left_early) {
  const Spent c = run(3, 1000, [](std::size_t method, int) { return method == 0 ? 40.0 : 1e6; });
  BOOST_TEST(c.intervals[0] > 990);
  // A tenth of such an interval is what the test spends at once: five trials in 1,000 intervals.
  BOOST_TEST(c.cost < 40.0 * 1000 + 6 * 1e5 + 1, c.cost);
}

BOOST_AUTO_TEST_CASE(trials_become_rare) {
  const auto overhead = [](int intervals) {
    return run(2, intervals, [](std::size_t method, int) { return method == 0 ? 100.0 : 150.0; }).cost / (100.0 * intervals) - 1;
  };
  BOOST_TEST(overhead(20) < 0.2);
  BOOST_TEST(overhead(1000) < 0.02);
  BOOST_TEST(overhead(20000) < 0.002);
}

BOOST_AUTO_TEST_CASE(another_phase_is_noticed) {
  const Spent c = run(2, 4000, [](std::size_t method, int k) { return k < 2000 ? (method == 0 ? 20.0 : 100.0) : method == 0 ? 90.0 : 45.0; });
  BOOST_TEST(c.last == 1u);
  BOOST_TEST(c.intervals[1] > 1950);
}

// From interval 500 on there is one motion without an end, which the method in use is not fit for: the first takes over.
BOOST_AUTO_TEST_CASE(another_motion_within_an_interval) {
  const Spent c = run(2, 501, [](std::size_t method, int k) { return k < 500 ? (method == 0 ? 100.0 : 20.0) : method == 0 ? 1e3 : 1e7; });
  BOOST_TEST(c.intervals[1] > 450);
  BOOST_TEST(c.last == 0u);
  BOOST_TEST(c.cost < 1.3 * 20 * 500 + 1e3 + 1e6 + 1);   // a tenth of the last is what the test spends at once
  MethodChoice first(2);
  BOOST_TEST(!first.give_up());
}

// Intervals alternate, short and long: a trial lasts as many of one kind as of the other.
BOOST_AUTO_TEST_CASE(intervals_that_alternate) {
  const Spent c = run(2, 2000, [](std::size_t method, int k) { return (k % 2 ? 10.0 : 200.0) * (method == 0 ? 1.0 : 1.3); });
  BOOST_TEST(c.intervals[0] > 1970);
  BOOST_TEST(run(1, 10, [](std::size_t, int) { return 1.0; }).intervals[0] == 10);
}

BOOST_AUTO_TEST_SUITE_END()
