// How values vary between events, by code of each kind: what is taken for affine, and whether anything that crossing functions or assertions look at varies.

#include <boost/test/unit_test.hpp>
#include <functional>

#include "add_block.hpp"
#include "builder.hpp"
#include "runtime/machine.hpp"
#include "runtime/variation.hpp"

using namespace mosim::test;

namespace {

/// Of x' = what `right_side` emits, from the state, from time, and from a number that only events change.
Way way_of(const std::function<Slot(Builder&, Slot state, Slot number)>& right_side) {
  Builder b;
  b.states({"x"});
  const Slot number = b.number(2);
  b.p.derivatives = b.code([&] { b.emit_to(b.dx(), Opcode::move, right_side(b, b.x(), number)); });
  const Machine m = make_machine(b.p);
  return find_variation(m).derivatives;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variation)

BOOST_AUTO_TEST_CASE(arithmetic) {
  const auto of = [](Opcode op, int left, int right) {
    return way_of([&](Builder& b, Slot state, Slot number) {
      const Slot operands[]{number, state, slot_time};
      return b.emit(op, operands[left], operands[right]);
    });
  };
  const Way ways[]{varies_not, varies_with_states, varies_with_time};
  for (const int left : {0, 1, 2})
    for (const int right : {0, 1, 2}) {
      const int both = ways[left] | ways[right];
      BOOST_TEST(of(Opcode::add, left, right) == both);
      BOOST_TEST(of(Opcode::subtract, left, right) == both);
      BOOST_TEST(of(Opcode::multiply, left, right) == (left == 0 || right == 0 ? both : +varies_freely));
      BOOST_TEST(of(Opcode::divide, left, right) == (right == 0 ? both : +varies_freely));
      for (const Opcode op : {Opcode::power, Opcode::atan2, Opcode::min, Opcode::max, Opcode::mod, Opcode::less}) BOOST_TEST(of(op, left, right) == (both == varies_not ? both : +varies_freely));
    }
}

// The condition of a jump decides which of two values there is; that of a number is the same up to the next event.
BOOST_AUTO_TEST_CASE(branches) {
  for (const bool by_state : {false, true}) {
    const Way way = way_of([&](Builder& b, Slot state, Slot number) {
      const Slot result = b.slot();
      b.emit_to(result, Opcode::move, state);
      b.when(by_state ? state : number, [&] { b.emit_to(result, Opcode::add, state, number); });
      return b.emit(Opcode::multiply, result, number);
    });
    BOOST_TEST(bool(way & varies_freely) == by_state);
  }
}

// What stands behind the place that a jump leads to is done in any case.
BOOST_AUTO_TEST_CASE(what_follows_a_branch) {
  const Way way = way_of([&](Builder& b, Slot state, Slot number) {
    b.when(state, [&] { b.emit(Opcode::sin, state); });
    return b.emit(Opcode::multiply, state, number);
  });
  BOOST_TEST(way == varies_with_states);
}

// (2 or a matrix that varies) * z = x: z is affine in x where the matrix stays.
BOOST_AUTO_TEST_CASE(systems) {
  for (const bool linear : {false, true})
    for (const int factor : {0, 1, 2}) {
      Builder b;
      b.states({"x"});
      const Slot z = b.slot(1), number = b.number(2);
      const Slot factors[]{number, b.x(), slot_time};
      const Index block = add_block(b, linear, {z}, [&] { return std::vector<Slot>{b.emit(Opcode::subtract, b.emit(Opcode::multiply, factors[factor], z), b.x())}; });
      b.p.derivatives = b.code([&] {
        b.emit_to(0, Opcode::solve, 0, 0, block);
        b.emit_to(b.dx(), Opcode::negate, z);
      });
      const Machine m = make_machine(b.p);
      const Variation v = find_variation(m);
      const bool is_affine = linear && factor == 0;
      BOOST_TEST(bool(v.derivatives & varies_freely) == !is_affine);
      if (is_affine) BOOST_TEST(v.derivatives == varies_with_states);
      BOOST_TEST(v.solves);
    }
}

// What reaches beyond its operands is never affine.
BOOST_AUTO_TEST_CASE(what_reaches_out) {
  for (const Opcode op : {Opcode::delay, Opcode::settle, Opcode::spatial_distribution, Opcode::external}) {
    const Way way = way_of([&](Builder& b, Slot state, Slot) { return b.emit(op, state); });
    BOOST_TEST(bool(way & varies_freely));
  }
}

BOOST_AUTO_TEST_CASE(crossings_and_checks) {
  for (const bool varies : {false, true}) {
    Builder b;
    b.states({"x"});
    const Slot number = b.number(2), other = b.number(3);
    const Slot side = varies ? b.x() : number;
    const Index relation = b.relation(Comparison::less);
    b.p.derivatives = b.code([&] { b.emit_to(b.dx(), Opcode::move, number); });
    b.p.crossings = b.code([&] { b.emit(Opcode::relation, side, other, relation); });
    b.p.outputs = b.code([] {});
    b.p.assertions = b.code([&] { b.emit_to(0, Opcode::check, b.emit(Opcode::less, side, other)); });
    const Machine m = make_machine(b.p);
    const Variation v = find_variation(m);
    BOOST_TEST(v.crossings == varies);
    BOOST_TEST(v.checks == varies);
  }
  // A check that is jumped over or not counts, whatever it checks.
  Builder b;
  b.states({"x"});
  const Slot number = b.number(0);
  b.p.derivatives = b.code([&] { b.emit_to(b.dx(), Opcode::move, number); });
  b.p.outputs = b.code([] {});
  b.p.assertions = b.code([&] { b.when(b.emit(Opcode::less, b.x(), number), [&] { b.emit_to(0, Opcode::check, number); }); });
  const Machine m = make_machine(b.p);
  const Variation v = find_variation(m);
  BOOST_TEST(v.checks);
  BOOST_TEST(!v.crossings);
}

BOOST_AUTO_TEST_SUITE_END()
