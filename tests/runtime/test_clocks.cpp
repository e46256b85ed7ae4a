// E10: clocks tick at instants without accumulated error; intervals, first ticks, event clocks. And delay().

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "builder.hpp"

using namespace mosim::test;

namespace {

// A variable that counts the ticks of a flag, and one that keeps the value of a slot at the tick.
struct Probe {
  Slot pre_n = 0, pre_v = 0, n = 0, v = 0;
  Probe(Builder& b, const std::string& name)
      : n(b.discrete(name, pre_n, 0, Type::integer)), v(b.discrete(name + ".interval", pre_v)) {}
  void take(Builder& b, const SubClock& clock) {
    b.emit_to(n, Opcode::move, pre_n);
    b.emit_to(v, Opcode::move, pre_v);
    b.when(clock.tick, [&] {
      b.emit_to(n, Opcode::add, pre_n, slot_one);
      b.emit_to(v, Opcode::move, clock.interval);
    });
  }
};

SubClock sub(Builder& b, std::uint64_t factor, std::uint64_t shift) {
  return {b.slot(), b.slot(), b.slot(), factor, shift, none};
}

Options until(double stop) {
  Options o;
  o.stop = stop;
  o.intervals = 3;
  o.record_events = true;
  return o;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(clocks)

BOOST_AUTO_TEST_CASE(rational) {
  Builder b;
  BaseClock clock;
  clock.counter = b.number(1);
  clock.resolution = 10;
  clock.clocks = {sub(b, 1, 0)};
  b.p.clocks.push_back(clock);
  Probe probe(b, "n");
  b.p.event = b.code([&] { probe.take(b, clock.clocks[0]); });
  const Result r = simulate(b.p, until(2));
  const std::vector<double> times = event_times(r);
  BOOST_REQUIRE(times.size() == 21u);
  for (int k = 0; k <= 20; ++k) BOOST_TEST(times[std::size_t(k)] == k / 10.0);
  BOOST_TEST(last(b.p, r, "n") == 21.0);
  BOOST_TEST(last(b.p, r, "n.interval") == 0.1);
  BOOST_TEST(r.statistics.clock_events == 21u);
  BOOST_CHECK(r.events[1].kind == EventKind::clock);
}

// superSample 3, subSample 2, shifted: fine ticks at n*interval/3.
BOOST_AUTO_TEST_CASE(families) {
  Builder b;
  BaseClock clock;
  clock.kind = ClockKind::real;
  clock.interval = b.number(0.3);
  clock.subdivision = 3;
  clock.clocks = {sub(b, 1, 0), sub(b, 3, 0), sub(b, 6, 3)};
  b.p.clocks.push_back(clock);
  Probe fine(b, "fine"), base(b, "base"), slow(b, "slow");
  b.p.event = b.code([&] {
    fine.take(b, clock.clocks[0]);
    base.take(b, clock.clocks[1]);
    slow.take(b, clock.clocks[2]);
  });
  const Result r = simulate(b.p, until(0.95));
  BOOST_TEST(last(b.p, r, "fine") == 10.0);  // 0, 0.1, ... 0.9
  BOOST_TEST(last(b.p, r, "base") == 4.0);   // 0, 0.3, 0.6, 0.9
  BOOST_TEST(last(b.p, r, "slow") == 2.0);   // 0.3, 0.9
  BOOST_TEST(last(b.p, r, "fine.interval") == 0.1, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(last(b.p, r, "base.interval") == 0.3, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(last(b.p, r, "slow.interval") == 0.6, boost::test_tools::tolerance(1e-15));
}

// Clock(n, 1000) with n growing at each tick: intervals 0.1, 0.2, 0.3, ...
BOOST_AUTO_TEST_CASE(varying) {
  Builder b;
  Slot pre = 0;
  const Slot counter = b.discrete("counter", pre, 100, Type::integer);
  const Slot step = b.number(100);
  BaseClock clock;
  clock.counter = counter;
  clock.resolution = 1000;
  clock.varying = true;
  clock.clocks = {sub(b, 1, 0)};
  b.p.clocks.push_back(clock);
  Probe probe(b, "n");
  b.p.event = b.code([&] {
    probe.take(b, clock.clocks[0]);
    b.emit_to(counter, Opcode::move, pre);
    b.when(clock.clocks[0].tick, [&] { b.emit_to(counter, Opcode::add, pre, step); });
  });
  const Result r = simulate(b.p, until(1.5));
  // The tick at 0 makes the counter 200: ticks at 0, 0.2, 0.5, 0.9, 1.4.
  BOOST_TEST(event_times(r) == (std::vector<double>{0, 0.2, 0.5, 0.9, 1.4}), boost::test_tools::per_element());
  BOOST_TEST(last(b.p, r, "n.interval") == 1.4 - 0.9);
}

// Clock(condition): ticks in the round after the condition became true, in the same event.
BOOST_AUTO_TEST_CASE(event_clock) {
  Builder b;
  const Slot at1 = b.number(0.25), at2 = b.number(0.75), nominal = b.number(9);
  Slot pre = 0;
  const Slot condition = b.discrete("condition", pre, 0, Type::boolean);
  const Index r1 = b.time_relation(Comparison::greater, true, at1), r2 = b.time_relation(Comparison::greater, true, at2);
  const Slot c1 = b.slot(), c2 = b.slot();
  BaseClock clock;
  clock.kind = ClockKind::event;
  clock.condition = condition;
  clock.start_interval = nominal;
  clock.clocks = {sub(b, 1, 0)};
  b.p.clocks.push_back(clock);
  Probe probe(b, "n");
  // true in [0.25, 0.5) and from 0.75 on
  const Slot at_half = b.number(0.5), c3 = b.slot();
  const Index r3 = b.time_relation(Comparison::less, false, at_half);
  const auto conditions = [&] {
    b.emit_to(c1, Opcode::time_relation, at1, 0, r1);
    b.emit_to(c2, Opcode::time_relation, at2, 0, r2);
    b.emit_to(c3, Opcode::time_relation, at_half, 0, r3);
    b.emit_to(condition, Opcode::or_, b.emit(Opcode::and_, c1, c3), c2);
  };
  b.p.initial = b.code(conditions);
  b.p.event = b.code([&] {
    conditions();
    probe.take(b, clock.clocks[0]);
  });
  const Result r = simulate(b.p, until(1));
  BOOST_TEST(messages(r) == "");
  BOOST_TEST(last(b.p, r, "n") == 2.0);
  BOOST_TEST(last(b.p, r, "n.interval") == 0.5);
  BOOST_TEST(event_times(r) == (std::vector<double>{0.25, 0.5, 0.75}), boost::test_tools::per_element());
  bool saw_nominal = false;
  for (std::size_t row = 0; row < r.trajectory.rows(); ++row)
    saw_nominal = saw_nominal || at(r, row, column(b.p, r, "n.interval")) == 9.0;
  BOOST_TEST(saw_nominal);
}

BOOST_AUTO_TEST_CASE(bad_interval) {
  Builder b;
  BaseClock clock;
  clock.kind = ClockKind::real;
  clock.interval = b.number(-1);
  clock.origin = b.origin("Clock(-1)");
  clock.clocks = {sub(b, 1, 0)};
  b.p.clocks.push_back(clock);
  const Result r = simulate(b.p, until(1));
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(messages(r).find("Clock(-1)") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(delays)

// y = delay(sin(time), 0.5), with an oscillator as the state so that the integration takes steps of its own.
BOOST_AUTO_TEST_CASE(follows_the_past) {
  Builder b;
  b.states({"s", "c"});
  b.dense_jacobian();
  const Slot y = b.slot(), half = b.number(0.5), maximum = b.number(0.5);
  b.variable("y", y, Kind::algebraic);
  b.p.delays.push_back({b.x(0), maximum, none});
  const auto flow = [&] {
    b.emit_to(b.dx(0), Opcode::move, b.x(1));
    b.emit_to(b.dx(1), Opcode::negate, b.x(0));
  };
  const auto output = [&] { b.emit_to(y, Opcode::delay, half, 0, 0); };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(0), Opcode::move, slot_zero);
    b.emit_to(b.x(1), Opcode::move, slot_one);
    flow();
    output();
  });
  b.p.derivatives = b.code(flow);
  b.p.outputs = b.code(output);
  Options o;
  o.stop = 10;
  o.tolerance = 1e-8;
  o.intervals = 50;
  const Result r = simulate(b.p, o);
  BOOST_CHECK(r.ending == Ending::stop_time);
  const int k = column(b.p, r, "y");
  for (std::size_t row = 0; row < r.trajectory.rows(); ++row) {
    const double time = at(r, row, 0), expected = time < 0.5 ? 0 : std::sin(time - 0.5);
    BOOST_TEST(std::abs(at(r, row, k) - expected) < 1e-5);
  }
}

// der(x) = -delay(x, 1), x = 1 before: 1 - t up to 1, then 1 - t + (t - 1)^2/2 up to 2.
BOOST_AUTO_TEST_CASE(in_the_right_side) {
  Builder b;
  b.states({"x"});
  const Slot past = b.slot();
  b.p.delays.push_back({b.x(), slot_one, none});
  const auto flow = [&] {
    b.emit_to(past, Opcode::delay, slot_one, 0, 0);
    b.emit_to(b.dx(), Opcode::negate, past);
  };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(), Opcode::move, slot_one);
    flow();
  });
  b.p.derivatives = b.code(flow);
  Options o;
  o.stop = 2;
  const Result r = simulate(b.p, o);
  BOOST_TEST(messages(r) == "");
  BOOST_TEST(std::abs(last(b.p, r, "x") + 0.5) < 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()
