// Between events: accuracy, the sparse Jacobian, the output grid, stiff systems, loops in the right side.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "builder.hpp"

using namespace mosim::test;

BOOST_AUTO_TEST_SUITE(integrator)

// der(x[k]) = x[k-1] - 2 x[k] + x[k+1] with zero ends: one eigenmode decays as exp(-2 (1 - cos(pi/(n+1))) t).
BOOST_AUTO_TEST_CASE(heat_chain) {
  for (const std::size_t n : {8u, 90u}) {  // dense, KLU
    Builder b;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < n; ++k) names.push_back("x" + std::to_string(k));
    b.states(names);
    const Slot minus_two = b.number(-2);
    const double pi = std::acos(-1.0), angle = pi / double(n + 1);
    std::vector<Slot> start;
    for (std::size_t k = 0; k < n; ++k) start.push_back(b.number(std::sin(angle * double(k + 1))));
    const auto flow = [&] {
      for (std::uint32_t k = 0; k < n; ++k) {
        Slot sum = b.emit(Opcode::multiply, minus_two, b.x(k));
        if (k > 0) sum = b.emit(Opcode::add, sum, b.x(k - 1));
        if (k + 1 < n) sum = b.emit(Opcode::add, sum, b.x(k + 1));
        b.emit_to(b.dx(k), Opcode::move, sum);
      }
    };
    for (std::uint32_t k = 0; k < n; ++k) {
      if (k > 0) b.depends(k - 1, k);
      b.depends(k, k);
      if (k + 1 < n) b.depends(k + 1, k);
    }
    b.p.initial = b.code([&] {
      for (std::uint32_t k = 0; k < n; ++k) b.emit_to(b.x(k), Opcode::move, start[k]);
      flow();
    });
    b.p.derivatives = b.code(flow);
    Options o;
    o.stop = 20;
    o.tolerance = 1e-8;
    const Result r = simulate(b.p, o);
    BOOST_TEST_CONTEXT("n = " << n) {
      BOOST_CHECK(r.ending == Ending::stop_time);
      BOOST_TEST(r.trajectory.rows() == 501u);
      const double factor = std::exp(-2 * (1 - std::cos(angle)) * 20);
      for (std::size_t k = 0; k < n; ++k)
        BOOST_TEST(std::abs(at(r, 500, int(k) + 1) - factor * std::sin(angle * double(k + 1))) < 1e-6);
    }
  }
}

// The output grid is start + k*(stop - start)/intervals to the last bit; the last row is the stop time.
BOOST_AUTO_TEST_CASE(grid) {
  Builder b;
  b.states({"x"});
  const auto flow = [&] { b.emit_to(b.dx(), Opcode::cos, slot_time); };
  b.p.initial = b.p.derivatives = b.code(flow);
  Options o;
  o.start = 0.1;
  o.stop = 0.7;
  o.intervals = 7;
  const Result r = simulate(b.p, o);
  BOOST_REQUIRE(r.trajectory.rows() == 8u);
  for (int k = 0; k < 7; ++k) BOOST_TEST(at(r, std::size_t(k), 0) == 0.1 + k * (0.7 - 0.1) / 7);
  BOOST_TEST(at(r, 7, 0) == 0.7);
  for (std::size_t row = 0; row < 8; ++row)
    BOOST_TEST(std::abs(at(r, row, 1) - (std::sin(at(r, row, 0)) - std::sin(0.1))) < 1e-5);
}

// der(x) = z, z^3 + z = -x: the Jacobian goes through the loop. dx/dt from z: x = -(z^3 + z), so
// -(3 z^2 + 1) dz/dt = z, log(z) + 3/2 z^2 = const - t.
BOOST_AUTO_TEST_CASE(loop_in_the_right_side) {
  Builder b;
  b.states({"x"});
  b.dense_jacobian();
  const Slot z = b.slot(0.5), start = b.number(-2);
  b.variable("z", z, Kind::algebraic);
  Block block;
  block.unknowns = {z};
  block.nominal = {1};
  block.names = {"z"};
  block.code = b.code([&] {
    const Slot cube = b.emit(Opcode::multiply, b.emit(Opcode::multiply, z, z), z);
    block.residuals = {b.emit(Opcode::add, b.emit(Opcode::add, cube, z), b.x())};
  });
  block.body = block.code;
  b.p.blocks.push_back(block);
  const auto flow = [&] {
    b.emit_to(0, Opcode::solve, 0, 0, 0);
    b.emit_to(b.dx(), Opcode::move, z);
  };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(), Opcode::move, start);
    flow();
  });
  b.p.derivatives = b.code(flow);
  Options o;
  o.stop = 3;
  o.tolerance = 1e-8;
  const Result r = simulate(b.p, o);
  BOOST_TEST(messages(r) == "");
  const double end = last(b.p, r, "z");
  BOOST_TEST(std::log(end) + 1.5 * end * end == 1.5 - 3, boost::test_tools::tolerance(1e-6));
}

// Robertson's stiff kinetics: the sum of the concentrations is an invariant.
BOOST_AUTO_TEST_CASE(stiff) {
  Builder b;
  b.states({"a", "b", "c"});
  b.dense_jacobian();
  const Slot k1 = b.number(0.04), k2 = b.number(1e4), k3 = b.number(3e7);
  const auto flow = [&] {
    const Slot first = b.emit(Opcode::multiply, k1, b.x(0));
    const Slot second = b.emit(Opcode::multiply, k2, b.emit(Opcode::multiply, b.x(1), b.x(2)));
    const Slot third = b.emit(Opcode::multiply, k3, b.emit(Opcode::multiply, b.x(1), b.x(1)));
    b.emit_to(b.dx(0), Opcode::subtract, second, first);
    b.emit_to(b.dx(2), Opcode::move, third);
    b.emit_to(b.dx(1), Opcode::subtract, b.emit(Opcode::subtract, first, second), third);
  };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(0), Opcode::move, slot_one);
    flow();
  });
  b.p.derivatives = b.code(flow);
  b.p.states[1].nominal = 1e-5;
  Options o;
  o.stop = 40;
  const Result r = simulate(b.p, o);
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(last(b.p, r, "a") + last(b.p, r, "b") + last(b.p, r, "c") == 1.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(last(b.p, r, "a") == 0.7158, boost::test_tools::tolerance(1e-3));  // Hairer and Wanner, IV.10
  BOOST_TEST(r.statistics.steps < 800u);
}

// A reinit far away changes nothing about the solver's ability to go on; a nominal scales the tolerance.
BOOST_AUTO_TEST_CASE(nominal_scales_the_tolerance) {
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    Builder b;
    b.states({"x"});
    b.dense_jacobian();
    const Slot tiny = b.number(1e-6);
    const auto flow = [&] { b.emit_to(b.dx(), Opcode::negate, b.x()); };
    b.p.initial = b.code([&] {
      b.emit_to(b.x(), Opcode::move, tiny);
      flow();
    });
    b.p.derivatives = b.code(flow);
    b.p.states[0].nominal = k == 0 ? 1.0 : 1e-6;
    const Result r = simulate(b.p, Options());
    errors[k] = std::abs(last(b.p, r, "x") / (1e-6 * std::exp(-1.0)) - 1);
  }
  BOOST_TEST(errors[0] > 1e-3);
  BOOST_TEST(errors[1] < 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()
