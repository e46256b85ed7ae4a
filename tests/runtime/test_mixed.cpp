// Mixed systems (E15): relations that are solved together with the equations around them.

#include <boost/test/unit_test.hpp>

#include "builder.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

using namespace mosim::test;

namespace {

struct System {
  Builder b;
  Mixed mixed;

  /// A relation left > right between slots that the code computes, tried in the slot returned.
  Slot relation(const std::string& text) {
    const Slot held = b.slot();
    mixed.held.push_back({true, b.relation(Comparison::greater, text), b.slot(), held});
    return held;
  }
  void evaluate(std::size_t k, Slot left, Slot right) {
    b.emit_to(mixed.held[k].value, Opcode::relation, left, right, mixed.held[k].number);
  }
  Entry finish(const std::function<void()>& body) {
    mixed.code = b.code(body);
    b.p.mixed.push_back(mixed);
    return b.code([&] { b.emit_to(0, Opcode::settle, 0, 0, 0); });
  }
};

/// n ideal diodes: s[k] = sum of m[k][i]*max(s[i], 0) + q[k], with a P-matrix I - M, from no information.
struct Diodes {
  System s;
  std::vector<Slot> x;
  Entry entry;
  Diodes(const std::vector<std::vector<double>>& m, const std::vector<double>& q) {
    const std::size_t n = q.size();
    std::vector<Slot> held;
    for (std::size_t k = 0; k < n; ++k) {
      held.push_back(s.relation("s" + std::to_string(k) + " > 0"));
      x.push_back(s.b.slot());
    }
    // Gaussian elimination of (I - M*on) x = q by hand for two of them.
    entry = s.finish([&] {
      Builder& b = s.b;
      const auto part = [&](std::size_t k, std::size_t i) { return b.emit(Opcode::multiply, b.number(m[k][i]), held[i]); };
      const Slot a11 = b.emit(Opcode::subtract, slot_one, part(0, 0)), a12 = b.emit(Opcode::negate, part(0, 1), 0);
      const Slot a21 = b.emit(Opcode::negate, part(1, 0), 0), a22 = b.emit(Opcode::subtract, slot_one, part(1, 1));
      const Slot determinant = b.emit(Opcode::subtract, b.emit(Opcode::multiply, a11, a22), b.emit(Opcode::multiply, a12, a21));
      const Slot q1 = b.number(q[0]), q2 = b.number(q[1]);
      b.emit_to(x[0], Opcode::divide, b.emit(Opcode::subtract, b.emit(Opcode::multiply, q1, a22), b.emit(Opcode::multiply, q2, a12)), determinant);
      b.emit_to(x[1], Opcode::divide, b.emit(Opcode::subtract, b.emit(Opcode::multiply, q2, a11), b.emit(Opcode::multiply, q1, a21)), determinant);
      for (std::size_t k = 0; k < n; ++k) s.evaluate(k, x[k], slot_zero);
    });
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(mixed)

// z = if z > 2 then 3 else 1 has two solutions: the relation keeps what it is.
BOOST_AUTO_TEST_CASE(a_relation_keeps_its_value_if_it_can) {
  System s;
  const Slot held = s.relation("z > 2"), z = s.b.slot(), two = s.b.number(2), three = s.b.number(3);
  const Entry entry = s.finish([&] {
    s.b.emit_to(z, Opcode::move, slot_one);
    s.b.when(held, [&] { s.b.emit_to(z, Opcode::move, three); });
    s.evaluate(0, z, two);
  });
  Machine m = make_machine(s.b.p);
  BOOST_CHECK(run(m, entry, Mode::literal).ok());
  BOOST_TEST(m.memory[z] == 1.0);
  m.relations[0].value = m.relations[0].armed = true;
  BOOST_CHECK(run(m, entry, Mode::live).ok());
  BOOST_TEST(m.memory[z] == 3.0);
  BOOST_TEST(m.flips.empty());
}

// z = if z > 0 then -1 else 1 has none.
BOOST_AUTO_TEST_CASE(relations_that_cannot_agree) {
  System s;
  const Slot held = s.relation("z > 0"), z = s.b.slot(), minus = s.b.number(-1);
  const Entry entry = s.finish([&] {
    s.b.emit_to(z, Opcode::move, slot_one);
    s.b.when(held, [&] { s.b.emit_to(z, Opcode::move, minus); });
    s.evaluate(0, z, slot_zero);
  });
  Machine m = make_machine(s.b.p);
  const Outcome outcome = run(m, entry, Mode::literal);
  BOOST_CHECK(outcome.fault == Fault::no_agreement);
  BOOST_TEST_REQUIRE(m.failed_mixed == 0u);
  BOOST_TEST(explain(m, outcome).cause.find("z > 0") != std::string::npos);
  BOOST_TEST(m.flips.empty());
  // In a round of an event it goes on with what is asked for, which the round is told.
  m.unsettled = none;
  BOOST_CHECK(run(m, entry, Mode::live).ok());
  BOOST_TEST(m.unsettled == 0u);
  BOOST_TEST(m.unsettled_detail.find("z > 0") != std::string::npos);
  BOOST_TEST(m.flips.size() == 1u);
}

// Plain rounds go to and fro between both on and both off; the solution has the first one off: s = (-0.5, 1) + ...
BOOST_AUTO_TEST_CASE(where_plain_rounds_cycle_one_at_a_time_changes) {
  // s0 = 1 - 2*max(s1, 0), s1 = 1 - 0.4*max(s0, 0): both off gives (1, 1), both on (-5, 3), only the second on (-1, 1).
  Diodes d({{0, -2}, {-0.4, 0}}, {1, 1});
  Machine m = make_machine(d.s.b.p);
  BOOST_CHECK(run(m, d.entry, Mode::literal).ok());
  BOOST_TEST(m.memory[d.x[0]] == -1.0);
  BOOST_TEST(m.memory[d.x[1]] == 1.0);
  BOOST_TEST(!m.relations[0].value);
  BOOST_TEST(m.relations[1].value);
  // A value is counted as changed once, whatever was tried on the way.
  BOOST_REQUIRE(m.flips.size() == 1u);
  BOOST_TEST(m.flips[0].relation == 1u);
}

// At a tie rounding says "off" when on, and "on" when off: within the band both are right.
BOOST_AUTO_TEST_CASE(rounding_decides_within_the_band) {
  System s;
  const Slot held = s.relation("z > 0"), z = s.b.slot(), up = s.b.number(3e-10), down = s.b.number(-3e-10);
  const Entry entry = s.finish([&] {
    s.b.emit_to(z, Opcode::move, up);
    s.b.when(held, [&] { s.b.emit_to(z, Opcode::move, down); });
    s.evaluate(0, z, slot_zero);
  });
  Machine m = make_machine(s.b.p);
  BOOST_CHECK(run(m, entry, Mode::live).ok());
  BOOST_TEST(m.relations[0].value == (m.memory[held] != 0));
  BOOST_TEST(m.memory[s.mixed.held[0].value] == m.memory[held]);
  BOOST_TEST(!m.relations[0].armed);
  BOOST_TEST(m.relations[0].epsilon >= 3e-10);
  BOOST_TEST(m.relations[0].epsilon <= 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
