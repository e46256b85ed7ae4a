// Functions as code: calls, loops, elements of arrays, recursion, and what they do when something is wrong.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "builder.hpp"
#include "runtime/interpreter.hpp"

using namespace mosim::test;

namespace {

/// f(x, n) = x^n by a loop: slots of a frame of its own.
struct Power {
  Builder b;
  Slot x, n, k, result, more;
  Index number;

  Power() {
    x = b.slot(), n = b.slot(), k = b.slot(), result = b.slot(), more = b.slot();
    Function f;
    f.name = "power";
    f.inputs = {x, n};
    f.results = {result};
    f.result_names = {"y"};
    f.first = x, f.last = more + 1;
    f.entry = static_cast<Entry>(b.p.code.size());
    b.emit_to(result, Opcode::move, slot_one);
    b.emit_to(k, Opcode::move, slot_zero);
    const auto head = static_cast<Entry>(b.p.code.size());
    b.emit_to(more, Opcode::less, k, n);
    b.emit_to(head + 5, Opcode::jump_if_zero, more);
    b.emit_to(result, Opcode::multiply, result, x);
    b.emit_to(k, Opcode::add, k, slot_one);
    b.emit_to(head, Opcode::loop);
    b.emit_to(0, Opcode::return_);
    number = static_cast<Index>(b.p.functions.size());
    b.p.functions.push_back(f);
  }
  Entry caller(Slot of, Slot times, Slot to) {
    return b.code([&] {
      b.emit_to(x, Opcode::move, of);
      b.emit_to(n, Opcode::move, times);
      b.emit_to(0, Opcode::call, 0, 0, number);
      b.emit_to(to, Opcode::move, result);
    });
  }
};

/// fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2), which calls itself.
struct Fibonacci {
  Builder b;
  Slot in, out, n, few, less, one, two;

  explicit Fibonacci(bool ends = true) {
    in = b.slot(), out = b.slot();
    n = b.slot(), less = b.slot(), one = b.slot(), two = b.slot();
    few = b.number(ends ? 2 : -1e9);
    const Slot number_two = b.number(2);
    Function f;
    f.name = "fib";
    f.inputs = {in};
    f.results = {out};
    f.result_names = {"y"};
    f.first = n, f.last = two + 1;
    f.recursive = true;
    f.entry = static_cast<Entry>(b.p.code.size());
    b.emit_to(n, Opcode::move, in);
    b.emit_to(less, Opcode::less, n, few);
    const auto jump = static_cast<Entry>(b.p.code.size());
    b.emit_to(jump + 3, Opcode::jump_if_zero, less);
    b.emit_to(out, Opcode::move, n);
    b.emit_to(0, Opcode::return_);
    b.emit_to(in, Opcode::subtract, n, slot_one);
    b.emit_to(0, Opcode::call);
    b.emit_to(one, Opcode::move, out);
    b.emit_to(in, Opcode::subtract, n, number_two);
    b.emit_to(0, Opcode::call);
    b.emit_to(out, Opcode::add, one, out);
    b.emit_to(0, Opcode::return_);
    b.p.functions.push_back(f);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(functions)

BOOST_AUTO_TEST_CASE(a_loop_with_its_derivative) {
  Power f;
  const Slot x = f.b.number(1.5), n = f.b.number(7), y = f.b.slot();
  const Entry entry = f.caller(x, n, y);
  Machine m = make_machine(f.b.p);
  BOOST_TEST(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[y] == std::pow(1.5, 7), boost::test_tools::tolerance(1e-15));
  for (const unsigned width : {1u, 4u, 8u}) {
    std::vector<double> tangent(f.b.p.memory.size() * width);
    tangent[x * width] = 1;
    BOOST_TEST(run_dual(m, entry, width, tangent.data()).ok());
    BOOST_TEST(tangent[y * width] == 7 * std::pow(1.5, 6), boost::test_tools::tolerance(1e-14));
    for (unsigned k = 1; k < width; ++k) BOOST_TEST(tangent[y * width + k] == 0);
  }
  BOOST_TEST(m.calls.empty());
}

BOOST_AUTO_TEST_CASE(a_function_that_calls_itself) {
  Fibonacci f;
  const Slot of = f.b.number(15), y = f.b.slot();
  const Entry entry = f.b.code([&] {
    f.b.emit_to(f.in, Opcode::move, of);
    f.b.emit_to(0, Opcode::call);
    f.b.emit_to(y, Opcode::move, f.out);
  });
  Machine m = make_machine(f.b.p);
  BOOST_TEST(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.memory[y] == 610);
  // d fib / d n as it is computed: the leaves n = 1 have derivative 1, n = 0 too, so that of fib(n) is the number of leaves.
  std::vector<double> tangent(f.b.p.memory.size());
  tangent[of] = 1;
  BOOST_TEST(run_dual(m, entry, 1, tangent.data()).ok());
  BOOST_TEST(tangent[y] == 987);
  BOOST_TEST(m.frames.empty());
  BOOST_TEST(m.frame_tangents.empty());
}

BOOST_AUTO_TEST_CASE(without_end_it_is_a_fault) {
  Fibonacci f(false);
  const Entry entry = f.b.code([&] { f.b.emit_to(0, Opcode::call); });
  Machine m = make_machine(f.b.p);
  BOOST_TEST((run(m, entry, Mode::frozen).fault == Fault::too_deep));
  BOOST_TEST(m.calls.empty());
  BOOST_TEST(m.frames.empty());
}

BOOST_AUTO_TEST_CASE(elements) {
  Builder b;
  Slot array = b.number(10);
  b.number(20), b.number(30);
  const Slot at = b.number(2), value = b.number(7), y = b.slot();
  const Entry load = b.code([&] { b.p.code.push_back({Opcode::load, y, at, 3, array}); });
  const Entry store = b.code([&] { b.p.code.push_back({Opcode::store, array, at, value, 3}); });
  b.p.code_origins.resize(b.p.code.size(), none);
  Machine m = make_machine(b.p);
  BOOST_TEST(run(m, load, Mode::frozen).ok());
  BOOST_TEST(m.memory[y] == 20);
  std::vector<double> tangent(b.p.memory.size());
  tangent[array + 1] = 3;
  tangent[value] = 5;
  BOOST_TEST(run_dual(m, load, 1, tangent.data()).ok());
  BOOST_TEST(tangent[y] == 3);
  BOOST_TEST(run_dual(m, store, 1, tangent.data()).ok());
  BOOST_TEST(m.memory[array + 1] == 7);
  BOOST_TEST(tangent[array + 1] == 5);
  BOOST_TEST(m.memory[array] == 10);
  for (const double wrong : {0.0, 4.0, -1.0, std::nan("")}) {
    m.memory[at] = wrong;
    BOOST_TEST((run(m, load, Mode::frozen).fault == Fault::outside));
    BOOST_TEST((run(m, store, Mode::frozen).fault == Fault::outside));
    BOOST_TEST(run(m, load, Mode::measure).ok());
    BOOST_TEST(std::isnan(m.memory[y]));
  }
}

BOOST_AUTO_TEST_CASE(a_result_without_a_value) {
  Power f;
  f.b.p.code[f.b.p.functions[0].entry].b = f.b.number(std::nan(""));
  const Slot x = f.b.number(1.5), n = f.b.number(7), y = f.b.slot();
  const Entry entry = f.caller(x, n, y);
  Machine m = make_machine(f.b.p);
  const Outcome outcome = run(m, entry, Mode::frozen);
  BOOST_TEST((outcome.fault == Fault::without_result));
  BOOST_TEST((f.b.p.code[outcome.at].op == Opcode::call));
  BOOST_TEST(m.failed_function == 0u);
}

BOOST_AUTO_TEST_CASE(a_loop_takes_notice_of_a_stop) {
  Power f;
  const Slot x = f.b.number(1), n = f.b.number(1e18), y = f.b.slot();
  const Entry entry = f.caller(x, n, y);
  Machine m = make_machine(f.b.p);
  const std::atomic<bool> stop = true;
  m.stop = &stop;
  BOOST_TEST((run(m, entry, Mode::frozen).fault == Fault::stopped));
}

BOOST_AUTO_TEST_CASE(an_endless_loop_ends_at_the_limit_of_rounds) {
  Power f;
  const Slot x = f.b.number(1), n = f.b.number(1e18), y = f.b.slot();
  const Entry entry = f.caller(x, n, y);
  Machine m = make_machine(f.b.p);
  m.maximum_rounds = 10000;
  BOOST_TEST((run(m, entry, Mode::frozen).fault == Fault::endless));
}

BOOST_AUTO_TEST_SUITE_END()
