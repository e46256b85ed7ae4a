// Every opcode: its value, its faults, and its tangents against finite differences.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "builder.hpp"
#include "runtime/interpreter.hpp"

using namespace mosim::test;

namespace {

struct Binary {
  Opcode op;
  double x, y, expected;
};

double evaluate(Opcode op, double x, double y, Outcome* outcome = nullptr) {
  Builder b;
  const Slot sx = b.number(x), sy = b.number(y), out = b.slot();
  const Entry entry = b.code([&] { b.emit_to(out, op, sx, sy); });
  Machine m = make_machine(b.p);
  const Outcome result = run(m, entry, Mode::frozen);
  if (outcome) *outcome = result;
  return m.memory[out];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interpreter)

BOOST_AUTO_TEST_CASE(values) {
  const Binary cases[] = {
      {Opcode::move, 3, 0, 3},         {Opcode::negate, 3, 0, -3},       {Opcode::not_, 0, 0, 1},
      {Opcode::not_, 1, 0, 0},         {Opcode::add, 2, 3, 5},           {Opcode::subtract, 2, 3, -1},
      {Opcode::multiply, 2, 3, 6},     {Opcode::divide, 3, 2, 1.5},      {Opcode::power, 2, 10, 1024},
      {Opcode::power, 0, 0, 1},        {Opcode::power, -2, 3, -8},       {Opcode::and_, 1, 0, 0},
      {Opcode::and_, 1, 1, 1},         {Opcode::or_, 0, 1, 1},           {Opcode::or_, 0, 0, 0},
      {Opcode::less, 1, 2, 1},         {Opcode::less, 2, 2, 0},          {Opcode::less_equal, 2, 2, 1},
      {Opcode::equal, 2, 2, 1},        {Opcode::not_equal, 2, 2, 0},     {Opcode::abs, -2, 0, 2},
      {Opcode::sign, -2, 0, -1},       {Opcode::sign, 0, 0, 0},          {Opcode::sqrt, 9, 0, 3},
      {Opcode::sin, 0.5, 0, std::sin(0.5)},   {Opcode::cos, 0.5, 0, std::cos(0.5)},
      {Opcode::tan, 0.5, 0, std::tan(0.5)},   {Opcode::asin, 0.5, 0, std::asin(0.5)},
      {Opcode::acos, 0.5, 0, std::acos(0.5)}, {Opcode::atan, 0.5, 0, std::atan(0.5)},
      {Opcode::atan2, 1, -1, std::atan2(1, -1)}, {Opcode::sinh, 0.5, 0, std::sinh(0.5)},
      {Opcode::cosh, 0.5, 0, std::cosh(0.5)}, {Opcode::tanh, 0.5, 0, std::tanh(0.5)},
      {Opcode::exp, 1, 0, std::exp(1)},       {Opcode::log, 2, 0, std::log(2)},
      {Opcode::log10, 100, 0, 2},      {Opcode::min, 2, 3, 2},           {Opcode::max, 2, 3, 3},
      {Opcode::floor, -1.5, 0, -2},    {Opcode::ceil, -1.5, 0, -1},      {Opcode::truncate, -1.5, 0, -1},
      // MLS 3.7.2: div truncates, mod(-3, 1.4) = 1.2, rem(-3, 1.4) = -0.2
      {Opcode::div, -3, 1.4, -2},      {Opcode::mod, -3, 1.4, 1.2},      {Opcode::rem, -3, 1.4, -0.2},
  };
  for (const Binary& c : cases) {
    Outcome outcome;
    BOOST_TEST_CONTEXT("opcode " << int(c.op)) {
      BOOST_TEST(evaluate(c.op, c.x, c.y, &outcome) == c.expected, boost::test_tools::tolerance(1e-14));
      BOOST_TEST(outcome.ok());
    }
  }
}

BOOST_AUTO_TEST_CASE(faults) {
  const auto fault = [](Opcode op, double x, double y) {
    Outcome outcome;
    evaluate(op, x, y, &outcome);
    return outcome.fault;
  };
  BOOST_CHECK(fault(Opcode::sqrt, -1, 0) == Fault::root_of_negative);
  BOOST_CHECK(fault(Opcode::log, 0, 0) == Fault::log_of_nonpositive);
  BOOST_CHECK(fault(Opcode::log10, -1, 0) == Fault::log_of_nonpositive);
  BOOST_CHECK(fault(Opcode::divide, 1, 0) == Fault::division_by_zero);
  BOOST_CHECK(fault(Opcode::mod, 1, 0) == Fault::division_by_zero);
  BOOST_CHECK(fault(Opcode::power, 0, -1) == Fault::zero_to_negative);
  BOOST_CHECK(fault(Opcode::power, -2, 0.5) == Fault::negative_to_fraction);
  BOOST_CHECK(fault(Opcode::asin, 1.1, 0) == Fault::arc_domain);
  BOOST_CHECK(fault(Opcode::acos, -1.1, 0) == Fault::arc_domain);
  BOOST_CHECK(fault(Opcode::exp, 1000, 0) == Fault::not_finite);
  BOOST_CHECK(fault(Opcode::multiply, 1e300, 1e300) == Fault::not_finite);
  BOOST_CHECK(fault(Opcode::power, 10, 400) == Fault::not_finite);
  // An infinite operand is passed on.
  BOOST_CHECK(fault(Opcode::add, std::numeric_limits<double>::infinity(), 1) == Fault::none);
}

BOOST_AUTO_TEST_CASE(domain_errors_measure_as_nothing) {
  Builder b;
  const Slot x = b.number(-1), out = b.slot();
  const Index r = b.relation(Comparison::greater);
  const Entry entry = b.code([&] { b.emit_to(out, Opcode::relation, b.emit(Opcode::sqrt, x), slot_one, r); });
  Machine m = make_machine(b.p);
  BOOST_CHECK(run(m, entry, Mode::measure).ok());
  BOOST_TEST(std::isnan(m.relation_differences[r]));
  BOOST_CHECK(run(m, entry, Mode::live).fault == Fault::root_of_negative);
}

BOOST_AUTO_TEST_CASE(tangents) {
  const Opcode ops[] = {Opcode::move, Opcode::negate, Opcode::add,  Opcode::subtract, Opcode::multiply, Opcode::divide,
                        Opcode::power, Opcode::abs,   Opcode::sqrt, Opcode::sin,      Opcode::cos,      Opcode::tan,
                        Opcode::asin,  Opcode::acos,  Opcode::atan, Opcode::atan2,    Opcode::sinh,     Opcode::cosh,
                        Opcode::tanh,  Opcode::exp,   Opcode::log,  Opcode::log10,    Opcode::min,      Opcode::max,
                        Opcode::mod,   Opcode::rem,   Opcode::div,  Opcode::floor,    Opcode::sign};
  const double x = 0.7, y = 0.3, h = 1e-6;
  for (const Opcode op : ops)
    for (const unsigned width : {1u, 4u, 8u}) {
      Builder b;
      const Slot sx = b.number(x), sy = b.number(y), out = b.slot();
      const Entry entry = b.code([&] { b.emit_to(out, op, sx, sy); });
      Machine m = make_machine(b.p);
      // Directions: x in the first lane, y in the last one (one lane: the sum).
      std::vector<double> tangent(m.memory.size() * width);
      tangent[sx * width] += 1;
      tangent[sy * width + width - 1] += 1;
      BOOST_CHECK(run_dual(m, entry, width, tangent.data()).ok());
      const double by_x = (evaluate(op, x + h, y) - evaluate(op, x - h, y)) / (2 * h);
      const double by_y = (evaluate(op, x, y + h) - evaluate(op, x, y - h)) / (2 * h);
      BOOST_TEST_CONTEXT("opcode " << int(op) << " width " << width) {
        if (width == 1) {
          BOOST_TEST(std::abs(tangent[out] - (by_x + by_y)) < 1e-8);
        } else {
          BOOST_TEST(std::abs(tangent[out * width] - by_x) < 1e-8);
          BOOST_TEST(std::abs(tangent[out * width + width - 1] - by_y) < 1e-8);
          if (width > 2) BOOST_TEST(tangent[out * width + 1] == 0.0);
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(jumps) {
  Builder b;
  const Slot condition = b.slot(), out = b.slot(), seven = b.number(7);
  const Entry entry = b.code([&] {
    b.emit_to(out, Opcode::move, slot_zero);
    b.when(condition, [&] { b.emit_to(out, Opcode::move, seven); });
  });
  Machine m = make_machine(b.p);
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[out] == 0.0);
  m.memory[condition] = 1;
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[out] == 7.0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(hysteresis)

// E4 for `y > 0`.
BOOST_AUTO_TEST_CASE(relation_arms_and_flips) {
  RelationState s;
  s.epsilon = 1e-3;
  bool hysteresis = false;
  set_literal(Comparison::greater, s, 1.0);
  BOOST_TEST(s.value);
  BOOST_TEST(s.armed);
  // Armed: literally, so at exactly 0.
  BOOST_TEST(crossing(Comparison::greater, s, 1e-9) > 0);
  BOOST_TEST(crossing(Comparison::greater, s, 0.0) < 0);
  BOOST_TEST(set_live(Comparison::greater, s, 0.0, hysteresis));
  BOOST_TEST(!s.value);
  BOOST_TEST(!hysteresis);
  BOOST_TEST(!s.armed);
  // Just flipped: back only beyond epsilon.
  BOOST_TEST(!set_live(Comparison::greater, s, 0.9e-3, hysteresis));
  BOOST_TEST(crossing(Comparison::greater, s, 0.9e-3) > 0);
  BOOST_TEST(crossing(Comparison::greater, s, 1.1e-3) < 0);
  BOOST_TEST(!arms(Comparison::greater, s, 1.1e-3));
  BOOST_TEST(arms(Comparison::greater, s, -1.1e-3));
  BOOST_TEST(set_live(Comparison::greater, s, 1.1e-3, hysteresis));
  BOOST_TEST(hysteresis);
  BOOST_TEST(s.armed);
}

BOOST_AUTO_TEST_CASE(comparisons_differ_at_zero) {
  bool hysteresis = false;
  for (const Comparison c : {Comparison::less, Comparison::less_equal, Comparison::greater, Comparison::greater_equal}) {
    RelationState s;
    s.value = c == Comparison::greater || c == Comparison::greater_equal;
    s.armed = true;
    // From the positive side: only the strict ones change at 0.
    const bool changes = c == Comparison::greater || c == Comparison::less_equal;
    BOOST_TEST((crossing(c, s, 0.0) < 0) == changes);
    BOOST_TEST(set_live(c, s, 0.0, hysteresis) == changes);
  }
}

BOOST_AUTO_TEST_CASE(event_function_keeps_its_value) {
  EventFunctionState s;
  s.epsilon = 1e-3;
  set_literal(Rounding::floor, s, 1.5);
  BOOST_TEST(s.value == 1.0);
  BOOST_TEST(!set_live(Rounding::floor, s, 1.9999));
  BOOST_TEST(set_live(Rounding::floor, s, 2.0));
  BOOST_TEST(s.value == 2.0);
  BOOST_TEST(!set_live(Rounding::floor, s, 1.9995));  // not armed at 2 yet
  BOOST_TEST(set_live(Rounding::floor, s, 1.9985));
  BOOST_TEST(s.value == 1.0);
  BOOST_TEST(set_live(Rounding::floor, s, 7.5));      // a jump
  BOOST_TEST(s.value == 7.0);
  set_literal(Rounding::ceil, s, 1.5);
  BOOST_TEST(s.value == 2.0);
  BOOST_TEST(set_live(Rounding::ceil, s, 2.01));
  BOOST_TEST(s.value == 3.0);
  set_literal(Rounding::truncate, s, -0.5);
  BOOST_TEST(!set_live(Rounding::truncate, s, 0.5));
  BOOST_TEST(set_live(Rounding::truncate, s, -1.0));
  BOOST_TEST(s.value == -1.0);
}

// What no compiler makes, and a file may hold: numbers that stand for no text, and arrays that were made without tangents.
BOOST_AUTO_TEST_CASE(numbers_that_are_no_texts) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double x : {-1.0, 7.0, 1e300, nan, infinity, -infinity}) {
    Builder b;
    b.p.strings = {"", "a"};
    const Slot number = b.number(x), a = b.number(1), out = b.slot(), other = b.slot(), made = b.slot();
    Text text;
    text.pieces.push_back({"<", none, Type::real, {}, {}});
    text.pieces.push_back({"", number, Type::string, {}, {}});
    b.p.texts.push_back(text);
    const Entry entry = b.code([&] {
      b.emit_to(out, Opcode::precedes, number, a);
      b.emit_to(other, Opcode::precedes, a, number);
      b.p.code.push_back({Opcode::text, made, 0, 0, 0});
      b.p.code_origins.push_back(none);
    });
    Machine m = make_machine(b.p);
    BOOST_TEST(run(m, entry, Mode::frozen).ok());
    BOOST_TEST(m.memory[out] == 1);     // as the empty text
    BOOST_TEST(m.memory[other] == 0);
    BOOST_TEST(m.strings[std::size_t(m.memory[made])] == "<");
  }
}

BOOST_AUTO_TEST_CASE(an_array_that_was_made_outside_of_a_differentiation) {
  Builder b;
  b.p.arrays = 1;
  const Slot size = b.number(3), at = b.number(2), value = b.number(5), out = b.slot();
  const auto add = [&](Instruction i) {
    b.p.code.push_back(i);
    b.p.code_origins.push_back(none);
  };
  const Entry make = b.code([&] {
    add({Opcode::create, 0, size, 1, 0});
    add({Opcode::put, value, at, 1, 0});
  });
  const Entry read = b.code([&] { add({Opcode::item, out, at, 1, 0}); });
  Machine m = make_machine(b.p);
  BOOST_TEST(run(m, make, Mode::frozen).ok());
  for (const unsigned width : {1u, 4u, 8u}) {
    std::vector<double> tangent(m.memory.size() * width, 7.0);
    BOOST_TEST(run_dual(m, read, width, tangent.data()).ok());
    BOOST_TEST(m.memory[out] == 5);
    BOOST_TEST(tangent[std::size_t(out) * width] == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
