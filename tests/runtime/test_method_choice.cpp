// Methods that cost so much, from event to event or within one long motion: which one is in use, and what the choice itself costs.

#include <algorithm>
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
    choice.interval_over(1, spent, course.cost);
  }
  course.last = choice.current();
  return course;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(method_choice)

BOOST_AUTO_TEST_CASE(the_cheapest_is_found) {
  for (const std::size_t best : {0, 1, 2}) {
    const Spent c = run(3, 1000, [&](std::size_t method, int) { return method == best ? 30.0 : 100.0; });
    // The first trial after 40 intervals of 100, of which it may cost a twentieth in vain, and the second one after as many again.
    BOOST_TEST(c.intervals[best] >= 1000 - 2 * 40 - 4 * 4, best << ": " << c.intervals[best]);
    BOOST_TEST(c.cost < 1.2 * 30 * 1000, best << ": " << c.cost);
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
  BOOST_TEST(c.cost < 1.5 * 20 * 500 + 1e3 + 1e6 + 1);   // a tenth of the last is what the test spends at once
  MethodChoice first(2);
  BOOST_TEST(!first.give_up());
}

BOOST_AUTO_TEST_CASE(a_short_run_is_left_alone) {
  MethodChoice choice(2, 1e4);
  for (int k = 1; k < 100; ++k) {
    choice.interval_over(1, 100, 100.0 * k);
    BOOST_TEST(choice.current() == 0u, k);
  }
  choice.interval_over(1, 100, 1e4);
  BOOST_TEST(choice.current() == 1u);
  MethodChoice within(2, 5e5);
  const auto is_over = [&](int step) { return within.step_over(0.1 * step, 100.0 * step) == MethodChoice::Stretch::is_over; };
  int step = 1;
  while (step < 9000 && !is_over(step)) ++step;
  BOOST_TEST(step >= 5000);
  BOOST_TEST(step <= 5200);
}

// Intervals alternate, short and long: a trial lasts as many of one kind as of the other.
BOOST_AUTO_TEST_CASE(intervals_that_alternate) {
  const Spent c = run(2, 2000, [](std::size_t method, int k) { return (k % 2 ? 10.0 : 200.0) * (method == 0 ? 1.0 : 1.3); });
  BOOST_TEST(c.intervals[0] > 1970);
  BOOST_TEST(run(1, 10, [](std::size_t, int) { return 1.0; }).intervals[0] == 10);
}

namespace {

/// One motion of duration 1 without an event, in which a method's step is so long and costs so much at a time; what is tried on the side is given up
/// as soon as it is lost.
struct Method {
  std::function<double(double)> step;
  double cost;
  bool bound_by_stability = false;
};
struct Motion {
  double cost = 0, on_the_side = 0;
  std::vector<double> time;   // by method
  std::uint32_t trials = 0, changes = 0;
  std::size_t last = 0;
};
Motion go(const std::vector<Method>& methods) {
  MethodChoice choice(methods.size());
  Motion m{0, 0, std::vector<double>(methods.size(), 0), 0, 0, 0};
  double begin = 0;
  for (double t = 0; t < 1;) {
    const Method& used = methods[choice.current()];
    const double step = used.step(t);
    m.time[choice.current()] += step;
    t += step;
    m.cost += used.cost;
    const MethodChoice::Stretch stretch = choice.step_over(t, m.cost);
    if (stretch == MethodChoice::Stretch::is_over) {
      ++m.trials;
      BOOST_TEST(choice.stretch_end() == t);
      const Method& tried = methods[choice.candidate()];
      double at = begin, spent = 0, at_middle = -1;
      bool lost = false;
      while (!lost && at < choice.stretch_end()) {
        at = std::min(at + tried.step(at), choice.stretch_end());
        spent += tried.cost;
        lost = choice.is_lost(at, spent);
        if (at_middle < 0 && at >= choice.stretch_middle()) at_middle = spent;
      }
      const std::size_t before = choice.current();
      if (lost) choice.tried_in_vain(spent);
      else choice.tried(choice.candidate(), spent, 0, spent - at_middle, tried.bound_by_stability);
      m.changes += choice.current() != before;
      m.cost += spent;
      m.on_the_side += spent;
    }
    if (stretch == MethodChoice::Stretch::is_hopeless) m.changes += choice.give_up();
    if (stretch != MethodChoice::Stretch::goes_on) begin = t;
  }
  m.last = choice.current();
  return m;
}
std::function<double(double)> always(double step) {
  return [step](double) { return step; };
}

}  // namespace

// 40,000 steps of the first method; the best does with a tenth of the cost.
BOOST_AUTO_TEST_CASE(within_a_long_motion_the_cheapest_is_found) {
  for (const std::size_t best : {1, 2, 3}) {
    std::vector<Method> methods(4, {always(1.0 / 40000), 100});
    methods[best].step = always(1.0 / 4000);
    const Motion m = go(methods);
    BOOST_TEST(m.last == best);
    BOOST_TEST(m.time[best] > 0.74, best << ": " << m.time[best]);
    BOOST_TEST(m.changes == 1u);
    // A tenth of it, the way to the trials, and these: the last candidate waits for the others'.
    BOOST_TEST(m.cost < 0.35 * 40000 * 100, best << ": " << m.cost);
  }
}

// The second method's steps would grow as the motion becomes calm, the third's could not.
BOOST_AUTO_TEST_CASE(a_method_at_its_limit_of_stability_wins_by_half_or_not_at_all) {
  for (const double part : {0.7, 0.1})
    for (const bool at_limit : {false, true}) {
      const Motion m = go({{always(1.0/40000), 100}, {always(1.0/4000), 100}, {always(1.0/10000), 40*part, at_limit}});
      if (part > 0.5 && at_limit) BOOST_TEST(m.time[2] == 0);
      else BOOST_TEST(m.time[2] > 0.5, part << ": " << m.time[2]);
    }
}

BOOST_AUTO_TEST_CASE(trials_on_the_side_are_a_small_part) {
  // One whose steps are 1,000 times shorter, one that is nearly as good, one that wins by less than a tenth.
  const std::vector<Method> methods{{always(1e-5), 100}, {always(1e-8), 100}, {always(1e-5), 115}, {always(1e-5), 95}};
  const Motion m = go(methods);
  BOOST_TEST(m.time[0] > 0.999);
  BOOST_TEST(m.changes == 0u);
  BOOST_TEST(m.trials >= 6u);
  BOOST_TEST(m.on_the_side < 0.03 * m.cost, m.on_the_side / m.cost);
  // A short run has no trial, one of a few thousand steps one that costs a tenth.
  BOOST_TEST(go({{always(1.0 / 1000), 100}, {always(1.0 / 1000), 80}}).trials == 0u);
  const Motion few = go({{always(1.0 / 2000), 100}, {always(1.0 / 1990), 100}});
  BOOST_TEST(few.on_the_side < 0.13 * few.cost, few.on_the_side / few.cost);
}

// Half-way the motion becomes stiff: what was chosen for the first half is left within two stretches of its steps.
BOOST_AUTO_TEST_CASE(a_long_motion_that_changes) {
  const auto explicit_step = [](double t) { return t < 0.5 ? 1e-4 : 1e-7; };
  const Motion m = go({{always(1e-5), 100}, {explicit_step, 100}});
  BOOST_TEST(m.last == 0u);
  BOOST_TEST(m.changes == 2u);
  BOOST_TEST(m.time[1] > 0.4);
  BOOST_TEST(m.time[1] < 0.5 + 500e-7);
}

// A method whose error makes a relation change to and fro has cheap intervals, and many of them.
BOOST_AUTO_TEST_CASE(what_makes_events_of_its_own_is_not_chosen) {
  MethodChoice choice(2);
  std::vector<double> time(2, 0);
  double t = 0;
  for (int k = 0; k < 4000 && t < 300; ++k) {
    const std::size_t method = choice.current();
    const double duration = method == 0 ? 1 : 0.02;
    choice.interval_over(duration, method == 0 ? 100 : 50, 1);
    time[method] += duration;
    t += duration;
  }
  BOOST_TEST(t >= 300);
  BOOST_TEST(time[0] > 295);
}

// All of a motion is gone through once more where much more of it is to come, and rarely.
BOOST_AUTO_TEST_CASE(looking_back_is_rare) {
  MethodChoice choice(2);
  const auto step_to = [&](int k) { return choice.step_over(k, 10.0 * k); };   // a step of 1 s costs 10
  int k = 1;
  for (; k <= 2000; ++k) {
    step_to(k);
    BOOST_TEST_REQUIRE(choice.begins_motion() == (k == 100));
  }
  BOOST_TEST(!choice.may_look_back(1000));   // it is not long yet
  for (; k <= 2300; ++k) step_to(k);
  BOOST_TEST(!choice.may_look_back(5));
  BOOST_TEST(choice.may_look_back(20));
  BOOST_TEST(!choice.may_look_back(1000));
  for (; k <= 8900; ++k) step_to(k);
  BOOST_TEST(!choice.may_look_back(1000));
  for (; k <= 9300; ++k) step_to(k);
  BOOST_TEST(choice.may_look_back(20));
  // From 100 s on it has cost 92,000: a candidate may come to 0.4 of that, and to a twentieth before it has begun.
  BOOST_TEST(!choice.is_lost_looking_back(100, 4500));
  BOOST_TEST(choice.is_lost_looking_back(100, 4700));
  BOOST_TEST(!choice.is_lost_looking_back(4700, 22900));
  BOOST_TEST(choice.is_lost_looking_back(4700, 23100));
  choice.interrupted();   // the next motion
  for (int steps = 0; steps <= 2300; ++steps) step_to(k++);
  BOOST_TEST(choice.may_look_back(20));
}

BOOST_AUTO_TEST_SUITE_END()
