// Event instants: SEMANTICS E3 to E8, E11 (chattering), and what is not a fixed point.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models.hpp"

using namespace mosim::test;

namespace {

Options until(double stop, std::uint32_t intervals = 10) {
  Options o;
  o.stop = stop;
  o.intervals = intervals;
  o.record_events = true;
  return o;
}

// n := pre(n) + 1 when `condition` (emitted by the caller, with its pre) becomes true.
struct Counter {
  Slot pre = 0, n = 0;
  Counter(Builder& b, const std::string& name) : n(b.discrete(name, pre, 0, Type::integer)) {}
  void count(Builder& b, Slot fired) {
    b.emit_to(n, Opcode::move, pre);
    b.when(fired, [&] { b.emit_to(n, Opcode::add, pre, slot_one); });
  }
};

// One crossing function of time and states, counted when it becomes true and when it becomes false.
Program count_crossings(Comparison comparison, const std::function<Slot(Builder&)>& difference) {
  Builder b;
  Slot pre = 0;
  const Slot c = b.discrete("c", pre, 0, Type::boolean);
  Counter rises(b, "rises"), falls(b, "falls");
  const Index r = b.relation(comparison);
  const auto relation = [&] { b.emit_to(c, Opcode::relation, difference(b), slot_zero, r); };
  b.p.initial = b.code(relation);
  b.p.crossings = b.code(relation);
  b.p.event = b.code([&] {
    relation();
    rises.count(b, b.edge(c, pre));
    falls.count(b, b.edge(pre, c));
  });
  return b.p;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(events)

// E6: when {time > 1, time > 2} fires twice, when time > 1 or time > 2 once.
BOOST_AUTO_TEST_CASE(any_not_or) {
  Builder b;
  const Slot one = b.number(1), two = b.number(2);
  Slot pre1 = 0, pre2 = 0, pre_or = 0;
  const Slot c1 = b.discrete("", pre1), c2 = b.discrete("", pre2), c_or = b.discrete("", pre_or);
  Counter any(b, "any"), either(b, "or");
  const Index r1 = b.time_relation(Comparison::greater, true, one), r2 = b.time_relation(Comparison::greater, true, two);
  const auto conditions = [&] {
    b.emit_to(c1, Opcode::time_relation, one, 0, r1);
    b.emit_to(c2, Opcode::time_relation, two, 0, r2);
    b.emit_to(c_or, Opcode::or_, c1, c2);
  };
  b.p.initial = b.code(conditions);
  b.p.event = b.code([&] {
    conditions();
    any.count(b, b.emit(Opcode::or_, b.edge(c1, pre1), b.edge(c2, pre2)));
    either.count(b, b.edge(c_or, pre_or));
  });
  const Result r = simulate(b.p, until(3));
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(last(b.p, r, "any") == 2.0);
  BOOST_TEST(last(b.p, r, "or") == 1.0);
  BOOST_TEST(r.statistics.time_events == 2u);
  BOOST_TEST(event_times(r) == (std::vector<double>{1.0, 2.0}), boost::test_tools::per_element());
}

// E3: to the last bit; strict and not strict comparisons differ only when the run starts at the instant.
BOOST_AUTO_TEST_CASE(time_relations_at_the_start) {
  for (const Comparison comparison : {Comparison::greater, Comparison::greater_equal}) {
    Builder b;
    const Slot instant = b.number(0.3);
    Slot pre = 0;
    const Slot c = b.discrete("c", pre, 0, Type::boolean);
    Counter n(b, "n");
    const Index r = b.time_relation(comparison, true, instant);
    b.p.initial = b.code([&] { b.emit_to(c, Opcode::time_relation, instant, 0, r); });
    b.p.event = b.code([&] {
      b.emit_to(c, Opcode::time_relation, instant, 0, r);
      n.count(b, b.edge(c, pre));
    });
    Options o = until(1);
    const Result from_0 = simulate(b.p, o);
    BOOST_TEST(last(b.p, from_0, "n") == 1.0);
    BOOST_TEST(event_times(from_0) == std::vector<double>{0.3}, boost::test_tools::per_element());
    o.start = 0.3;
    const Result from_instant = simulate(b.p, o);
    const bool strict = comparison == Comparison::greater;
    BOOST_TEST(at(from_instant, 0, column(b.p, from_instant, "c")) == (strict ? 0.0 : 1.0));
    BOOST_TEST(last(b.p, from_instant, "n") == (strict ? 1.0 : 0.0));
    BOOST_TEST(last(b.p, from_instant, "c") == 1.0);
  }
}

// An instant that moves on at its own event: when time >= next then next := pre(next) + 0.25.
BOOST_AUTO_TEST_CASE(moving_instant) {
  Builder b;
  const Slot step = b.number(0.25);
  Slot pre_next = 0, pre_c = 0;
  const Slot next = b.discrete("next", pre_next, 0.25), c = b.discrete("", pre_c);
  Counter n(b, "n");
  const Index r = b.time_relation(Comparison::greater_equal, true, next);
  b.p.initial = b.code([&] { b.emit_to(c, Opcode::time_relation, next, 0, r); });
  b.p.event = b.code([&] {
    b.emit_to(c, Opcode::time_relation, pre_next, 0, r);
    const Slot fired = b.edge(c, pre_c);
    n.count(b, fired);
    b.emit_to(next, Opcode::move, pre_next);
    b.when(fired, [&] { b.emit_to(next, Opcode::add, pre_next, step); });
  });
  const Result r1 = simulate(b.p, until(1));
  BOOST_TEST(messages(r1) == "");
  BOOST_TEST(last(b.p, r1, "n") == 4.0);
  BOOST_TEST(event_times(r1) == (std::vector<double>{0.25, 0.5, 0.75, 1.0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(samples_do_not_accumulate) {
  Builder b;
  const Slot start = b.number(0), interval = b.number(0.1), flag = b.slot();
  Slot pre = 0;
  const Slot c = b.discrete("", pre);
  Counter n(b, "n");
  b.p.samples.push_back({start, interval, flag, none});
  b.p.initial = b.code([&] { b.emit_to(c, Opcode::move, slot_zero); });
  b.p.event = b.code([&] {
    b.emit_to(c, Opcode::move, flag);
    n.count(b, b.edge(c, pre));
  });
  const Result r = simulate(b.p, until(10, 7));
  const std::vector<double> times = event_times(r);
  BOOST_REQUIRE(times.size() == 101u);
  for (int k = 0; k <= 100; ++k) BOOST_TEST(times[std::size_t(k)] == k * 0.1);
  BOOST_TEST(last(b.p, r, "n") == 101.0);
  BOOST_TEST(at(r, 0, column(b.p, r, "n")) == 0.0);
  BOOST_TEST(at(r, 1, column(b.p, r, "n")) == 1.0);
}

BOOST_AUTO_TEST_CASE(samples_before_the_start) {
  Builder b;
  const Slot start = b.number(-1), interval = b.number(0.4), flag = b.slot();
  b.p.samples.push_back({start, interval, flag, none});
  b.p.event = b.code([&] {});
  const Result r = simulate(b.p, until(0.9));
  const std::vector<double> times = event_times(r);
  BOOST_REQUIRE(times.size() == 2u);
  BOOST_TEST(times[0] == -1 + 3 * 0.4);
  BOOST_TEST(times[1] == -1 + 4 * 0.4);
}

BOOST_AUTO_TEST_CASE(bad_sample_interval) {
  Builder b;
  b.p.samples.push_back({b.number(0), b.number(0), b.slot(), b.origin("sample(0, 0)")});
  const Result r = simulate(b.p, until(1));
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(messages(r).find("sample(0, 0)") != std::string::npos);
}

// E4: y = max(0, 1 - time) arrives at exactly 0 and stays. y > 0 changes there, y >= 0 never.
BOOST_AUTO_TEST_CASE(arriving_at_exactly_zero) {
  const auto y = [](Builder& b) { return b.emit(Opcode::max, slot_zero, b.emit(Opcode::subtract, slot_one, slot_time)); };
  const Program strict = count_crossings(Comparison::greater, y);
  const Result r1 = simulate(strict, until(3));
  BOOST_TEST(last(strict, r1, "falls") == 1.0);
  BOOST_TEST(last(strict, r1, "c") == 0.0);
  BOOST_REQUIRE(event_times(r1).size() == 1u);
  BOOST_TEST(event_times(r1)[0] == 1.0, boost::test_tools::tolerance(1e-12));
  const Program weak = count_crossings(Comparison::greater_equal, y);
  const Result r2 = simulate(weak, until(3));
  BOOST_TEST(last(weak, r2, "falls") == 0.0);
  BOOST_TEST(event_times(r2).empty());
}

// Without states: crossing functions of time alone.
BOOST_AUTO_TEST_CASE(crossings_of_time_alone) {
  const Program p = count_crossings(Comparison::greater, [](Builder& b) { return b.emit(Opcode::sin, slot_time); });
  const Result r = simulate(p, until(20, 100));
  // sin(0) > 0 is false; it becomes true just after 0, beyond epsilon.
  const std::vector<double> times = event_times(r);
  BOOST_TEST(last(p, r, "rises") == 4.0);
  BOOST_TEST(last(p, r, "falls") == 3.0);
  BOOST_TEST(times[1] == std::acos(-1.0), boost::test_tools::tolerance(1e-12));
  // Each zero is two events at most: the flip, and nothing at the far edge.
  BOOST_TEST(times.size() == 7u);
  BOOST_TEST(r.statistics.state_events == 7u);
}

// Two crossings inside one step: (time - 0.5)^2 < w^2. The window is wider than the distance between two looks
// (1/200 of the run at least), but narrower than a step.
BOOST_AUTO_TEST_CASE(two_crossings_in_a_step) {
  for (const double width : {1e-1, 1e-2, 3e-3}) {
    const Program p = count_crossings(Comparison::less, [&](Builder& b) {
      const Slot d = b.emit(Opcode::subtract, slot_time, b.number(0.50123));
      return b.emit(Opcode::subtract, b.emit(Opcode::multiply, d, d), b.number(width * width));
    });
    const Result r = simulate(p, until(1));
    BOOST_TEST_CONTEXT("width " << width) {
      BOOST_TEST(last(p, r, "rises") == 1.0);
      BOOST_TEST(last(p, r, "falls") == 1.0);
      BOOST_TEST(event_times(r).at(0) == 0.50123 - width, boost::test_tools::tolerance(1e-9));
    }
  }
}

// E8: reinit takes effect after the round; another when sees it in the next.
BOOST_AUTO_TEST_CASE(reinit_and_the_next_round) {
  Builder b;
  b.states({"x"});
  const Slot half = b.number(0.5), five = b.number(5), three = b.number(3);
  const Slot pre_x = b.pre_of(b.x());
  Slot pre_c = 0, pre_d = 0, pre_seen = 0;
  const Slot c = b.discrete("", pre_c), d = b.discrete("", pre_d), seen = b.discrete("seen", pre_seen);
  Counter n(b, "n");
  const Index r = b.time_relation(Comparison::greater, true, half), q = b.relation(Comparison::greater, "x > 3");
  b.p.reinits.push_back({0, none});
  const auto flow = [&] { b.emit_to(b.dx(), Opcode::move, slot_one); };
  const auto conditions = [&] {
    b.emit_to(c, Opcode::time_relation, half, 0, r);
    b.emit_to(d, Opcode::relation, b.x(), three, q);
  };
  b.p.initial = b.code([&] { flow(), conditions(); });
  b.p.derivatives = b.code(flow);
  b.p.crossings = b.code([&] { b.emit_to(d, Opcode::relation, b.x(), three, q); });
  b.p.event = b.code([&] {
    conditions();
    b.when(b.edge(c, pre_c), [&] { b.emit_to(0, Opcode::reinit, b.emit(Opcode::add, pre_x, five), 0, 0); });
    const Slot fired = b.edge(d, pre_d);
    n.count(b, fired);
    b.emit_to(seen, Opcode::move, pre_seen);
    b.when(fired, [&] { b.emit_to(seen, Opcode::move, pre_x); });
    flow();
  });
  const Result result = simulate(b.p, until(1));
  BOOST_CHECK(result.ending == Ending::stop_time);
  BOOST_TEST(event_times(result) == std::vector<double>{0.5}, boost::test_tools::per_element());
  BOOST_TEST(last(b.p, result, "n") == 1.0);
  BOOST_TEST(last(b.p, result, "seen") == 5.5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(last(b.p, result, "x") == 6.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(result.events.back().rounds >= 3u);
  const std::size_t row = 6;  // after the event
  BOOST_TEST(at(result, row, 0) == 0.5);
  BOOST_TEST(at(result, row, 1) == 5.5, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(at(result, row - 1, 1) == 0.5, boost::test_tools::tolerance(1e-9));
}

// b1 = time > 0.5; b2 = pre(b1); b3 = pre(b2): one event, as many rounds as it takes.
BOOST_AUTO_TEST_CASE(chained_iteration) {
  Builder b;
  const Slot half = b.number(0.5);
  Slot pre1 = 0, pre2 = 0, pre3 = 0;
  const Slot b1 = b.discrete("b1", pre1), b2 = b.discrete("b2", pre2), b3 = b.discrete("b3", pre3);
  const Index r = b.time_relation(Comparison::greater, true, half);
  b.p.initial = b.code([&] { b.emit_to(b1, Opcode::time_relation, half, 0, r); });
  b.p.event = b.code([&] {
    b.emit_to(b1, Opcode::time_relation, half, 0, r);
    b.emit_to(b2, Opcode::move, pre1);
    b.emit_to(b3, Opcode::move, pre2);
  });
  const Result result = simulate(b.p, until(1));
  BOOST_TEST(last(b.p, result, "b3") == 1.0);
  BOOST_TEST(event_times(result) == std::vector<double>{0.5}, boost::test_tools::per_element());
  BOOST_REQUIRE(result.events.size() == 2u);
  BOOST_TEST(result.events[1].rounds == 4u);
  BOOST_TEST(result.events[1].changes.size() == 3u);
}

// b = not pre(b) has no fixed point.
BOOST_AUTO_TEST_CASE(endless_iteration) {
  Builder b;
  const Slot half = b.number(0.5), c = b.slot();
  Slot pre = 0;
  const Slot v = b.discrete("flipflop", pre, 0, Type::boolean);
  const Index r = b.time_relation(Comparison::greater, true, half);
  b.p.initial = b.code([&] { b.emit_to(c, Opcode::time_relation, half, 0, r); });
  b.p.event = b.code([&] {
    b.emit_to(c, Opcode::time_relation, half, 0, r);
    b.emit_to(v, Opcode::move, pre);
    b.when(c, [&] { b.emit_to(v, Opcode::not_, pre); });
  });
  const Result result = simulate(b.p, until(1));
  BOOST_CHECK(result.ending == Ending::failed);
  BOOST_TEST(result.time == 0.5);
  BOOST_REQUIRE(result.messages.size() == 1u);
  BOOST_TEST(result.messages[0].cause.find("flipflop") != std::string::npos);
  BOOST_TEST(result.trajectory.rows() > 5u);  // what there is
}

BOOST_AUTO_TEST_CASE(terminate_and_terminal) {
  Builder b;
  const Slot half = b.number(0.5);
  Slot pre = 0, pre_end = 0;
  const Slot c = b.discrete("", pre), at_end = b.discrete("at_end", pre_end);
  const Index r = b.time_relation(Comparison::greater, true, half);
  b.p.terminations.push_back({{none, {{"enough", none, Type::real, {}, {}}}}, none});
  b.p.initial = b.code([&] { b.emit_to(c, Opcode::time_relation, half, 0, r); });
  b.p.event = b.code([&] {
    b.emit_to(c, Opcode::time_relation, half, 0, r);
    b.when(b.edge(c, pre), [&] { b.emit_to(0, Opcode::terminate, 0, 0, 0); });
    b.emit_to(at_end, Opcode::move, slot_terminal);
  });
  const Result result = simulate(b.p, until(1));
  BOOST_CHECK(result.ending == Ending::terminated);
  BOOST_TEST(result.time == 0.5);
  BOOST_TEST(messages(result).find("enough") != std::string::npos);
  BOOST_TEST(last(b.p, result, "at_end") == 1.0);
  BOOST_CHECK(result.events.back().kind == EventKind::terminal);
}

BOOST_AUTO_TEST_CASE(terminal_at_the_stop_time) {
  Builder b;
  Slot pre_end = 0;
  const Slot at_end = b.discrete("at_end", pre_end);
  b.p.event = b.code([&] { b.emit_to(at_end, Opcode::move, slot_terminal); });
  const Result result = simulate(b.p, until(1));
  BOOST_CHECK(result.ending == Ending::stop_time);
  BOOST_TEST(last(b.p, result, "at_end") == 1.0);
  BOOST_TEST(result.trajectory.rows() == 12u);
  BOOST_TEST(at(result, 10, 1) == 0.0);
}

BOOST_AUTO_TEST_CASE(maximum_events) {
  Options o = until(10);
  o.maximum_events = 4;
  const Result r = simulate(bouncing_ball(), o);
  BOOST_CHECK(r.ending == Ending::maximum_events);
  BOOST_TEST(r.statistics.state_events == 4u);
}

// E11: the state slides along x = 1.
BOOST_AUTO_TEST_CASE(chattering) {
  const Program p = sliding();
  Options o;
  o.stop = 2;
  o.tolerance = 1e-5;
  const Result r = simulate(p, o);
  BOOST_CHECK(r.ending == Ending::stop_time);
  for (std::size_t row = 0; row < r.trajectory.rows(); ++row)
    if (at(r, row, 0) > 1.001) BOOST_TEST(std::abs(at(r, row, 1) - 1) < 1e-8);
  BOOST_REQUIRE(r.chattering.size() == 1u);
  BOOST_TEST(r.chattering[0].from == 1.0, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(r.chattering[0].to == 2.0, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(r.chattering[0].epsilon <= 4e-5);
  BOOST_TEST(r.chattering[0].events < 200u);
  BOOST_TEST(r.chattering[0].slid == 1.0, boost::test_tools::tolerance(1e-3));
  BOOST_TEST(r.zeno.empty());
  BOOST_TEST(r.trajectory.rows() <= 501u + 8u);
  for (std::size_t row = 1; row < r.trajectory.rows(); ++row) BOOST_TEST(at(r, row, 0) >= at(r, row - 1, 0));
}

// floor(2*time) changes at 0.5, 1, 1.5.
BOOST_AUTO_TEST_CASE(event_functions) {
  Builder b;
  const Slot two = b.number(2);
  Slot pre = 0;
  const Slot n = b.discrete("n", pre);
  b.p.event_functions.push_back({Rounding::floor, none, none});
  const auto code = [&] { b.emit_to(n, Opcode::event_function, b.emit(Opcode::multiply, two, slot_time), 0, 0); };
  b.p.initial = b.p.event = b.p.crossings = b.code(code);
  const Result r = simulate(b.p, until(1.9));
  const std::vector<double> times = event_times(r);
  BOOST_REQUIRE(times.size() == 3u);
  for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(times[k] == 0.5 * double(k + 1), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(last(b.p, r, "n") == 3.0);
}

BOOST_AUTO_TEST_SUITE_END()
