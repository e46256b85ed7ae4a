// Algebraic loops: linear, nonlinear, differentiated, large and sparse, and without a solution.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "add_block.hpp"
#include "builder.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

using namespace mosim::test;

BOOST_AUTO_TEST_SUITE(blocks)

// 2a + b = u, a - b = 1: a = (u + 1)/3, and its derivative by u.
BOOST_AUTO_TEST_CASE(linear_and_its_tangents) {
  Builder b;
  const Slot u = b.number(5), two = b.number(2), za = b.slot(99), zb = b.slot(-99);
  const Index k = add_block(b, true, {za, zb}, [&] {
    const Slot sum = b.emit(Opcode::add, b.emit(Opcode::multiply, two, za), zb);
    return std::vector<Slot>{b.emit(Opcode::subtract, sum, u),
                             b.emit(Opcode::subtract, b.emit(Opcode::subtract, za, zb), slot_one)};
  });
  const Slot after = b.slot();
  const Entry entry = b.code([&] {
    b.emit_to(0, Opcode::solve, 0, 0, k);
    b.emit_to(after, Opcode::multiply, za, zb);
  });
  Machine m = make_machine(b.p);
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[za] == 2.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(m.memory[zb] == 1.0, boost::test_tools::tolerance(1e-14));
  std::vector<double> tangent(m.memory.size() * 4);
  tangent[u * 4 + 2] = 1;
  BOOST_CHECK(run_dual(m, entry, 4, tangent.data()).ok());
  BOOST_TEST(tangent[za * 4 + 2] == 1.0 / 3, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(tangent[after * 4 + 2] == 1.0 / 3 * (2.0 + 1.0), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(tangent[za * 4] == 0.0);
}

// x^2 + y^2 = r, x = y^3: against the residuals themselves; tangents against finite differences.
BOOST_AUTO_TEST_CASE(nonlinear_and_its_tangents) {
  Builder b;
  const Slot r = b.number(3), x = b.slot(1), y = b.slot(1), three = b.number(3);
  const Index k = add_block(b, false, {x, y}, [&] {
    const Slot sum = b.emit(Opcode::add, b.emit(Opcode::multiply, x, x), b.emit(Opcode::multiply, y, y));
    return std::vector<Slot>{b.emit(Opcode::subtract, sum, r),
                             b.emit(Opcode::subtract, x, b.emit(Opcode::power, y, three))};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  const auto solve_for = [&](double value) {
    m.memory[r] = value;
    BOOST_CHECK(run(m, entry, Mode::frozen).ok());
    return m.memory[x];
  };
  solve_for(3);
  BOOST_TEST(std::abs(m.memory[x] * m.memory[x] + m.memory[y] * m.memory[y] - 3) < 1e-13);
  BOOST_TEST(std::abs(m.memory[x] - std::pow(m.memory[y], 3)) < 1e-13);
  const double difference = (solve_for(3 + 1e-5) - solve_for(3 - 1e-5)) / 2e-5;
  solve_for(3);
  std::vector<double> tangent(m.memory.size());
  tangent[r] = 1;
  BOOST_CHECK(run_dual(m, entry, 1, tangent.data()).ok());
  BOOST_TEST(tangent[x] == difference, boost::test_tools::tolerance(1e-8));
}

// atan(z) = c from far away makes undamped Newton diverge.
BOOST_AUTO_TEST_CASE(damping) {
  Builder b;
  const Slot z = b.slot(20), c = b.number(0.5);
  const Index k = add_block(b, false, {z}, [&] {
    return std::vector<Slot>{b.emit(Opcode::subtract, b.emit(Opcode::atan, z), c)};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[z] == std::tan(0.5), boost::test_tools::tolerance(1e-12));
}

// The guess lies outside the domain of a trial step: log(z) = 2 from 1e-3.
BOOST_AUTO_TEST_CASE(steps_out_of_the_domain) {
  Builder b;
  const Slot z = b.slot(1000), c = b.number(-2);
  const Index k = add_block(b, false, {z}, [&] {
    return std::vector<Slot>{b.emit(Opcode::subtract, b.emit(Opcode::log, z), c)};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  BOOST_CHECK(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[z] == std::exp(-2.0), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(singular_names_the_unknown) {
  Builder b;
  const Slot x = b.slot(), y = b.slot();
  const Index k = add_block(b, true, {x, y}, [&] {
    const Slot sum = b.emit(Opcode::add, x, y);
    return std::vector<Slot>{b.emit(Opcode::subtract, sum, slot_one), b.emit(Opcode::add, sum, slot_one)};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  const Outcome outcome = run(m, entry, Mode::frozen);
  BOOST_CHECK(outcome.fault == Fault::block_singular);
  const Message message = explain(m, outcome);
  BOOST_TEST(message.cause.find("singular") != std::string::npos);
  BOOST_TEST(message.cause.find("z1") != std::string::npos);
  BOOST_TEST(message.cause.find("the loop") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_solution) {
  Builder b;
  const Slot z = b.slot(0.5);
  const Index k = add_block(b, false, {z}, [&] {
    return std::vector<Slot>{b.emit(Opcode::add, b.emit(Opcode::multiply, z, z), slot_one)};
  });
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
  Machine m = make_machine(b.p);
  const Outcome outcome = run(m, entry, Mode::frozen);
  BOOST_TEST(!outcome.ok());
  BOOST_TEST(explain(m, outcome).cause.find("z0") != std::string::npos);
}

// A chain -z[k-1] + 3 z[k] - z[k+1] = 1 of 100, linear and (with + z^3) nonlinear, beyond the dense bound.
BOOST_AUTO_TEST_CASE(sparse) {
  for (const bool linear : {true, false}) {
    constexpr std::size_t n = 100;
    Builder b;
    const Slot three = b.number(3);
    std::vector<Slot> z;
    for (std::size_t k = 0; k < n; ++k) z.push_back(b.slot());
    const Index k = add_block(b, linear, z, [&] {
      std::vector<Slot> residuals;
      for (std::size_t i = 0; i < n; ++i) {
        Slot sum = b.emit(Opcode::subtract, b.emit(Opcode::multiply, three, z[i]), slot_one);
        if (!linear) sum = b.emit(Opcode::add, sum, b.emit(Opcode::power, z[i], three));
        if (i > 0) sum = b.emit(Opcode::subtract, sum, z[i - 1]);
        if (i + 1 < n) sum = b.emit(Opcode::subtract, sum, z[i + 1]);
        residuals.push_back(sum);
      }
      return residuals;
    });
    const Entry entry = b.code([&] { b.emit_to(0, Opcode::solve, 0, 0, k); });
    Machine m = make_machine(b.p);
    BOOST_CHECK(run(m, entry, Mode::frozen).ok());
    BOOST_REQUIRE(m.blocks[k].sparse);
    BOOST_TEST(m.blocks[k].sparse->colouring.colours == 3u);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double here = m.memory[z[i]];
      double sum = 3 * here - 1 + (linear ? 0 : here * here * here);
      if (i > 0) sum -= m.memory[z[i - 1]];
      if (i + 1 < n) sum -= m.memory[z[i + 1]];
      worst = std::max(worst, std::abs(sum));
    }
    BOOST_TEST(worst < 1e-13);
  }
}

BOOST_AUTO_TEST_SUITE_END()
